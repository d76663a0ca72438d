import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Language } from '../../../config/languages';
import type { UserPreferences } from '../../users/user-preferences.repository';
import type { Messages } from '../messages/catalogues';
import type { Operator } from '../../audit-log/audit-log';
import type { IncomingMessage } from 'node:http';

const READING = new Set(['GET', 'HEAD']);

/** A request that changes nothing. */
export function isReading({ method }: Request): boolean {
  return READING.has(method);
}

export interface PanelUser extends UserPreferences {
  /** In which days begin and times are written: what the user has set, else the browser's; null: UTC. */
  readonly timeZone: string | null;
  readonly ownTimeZone: string | null;
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly operator: boolean;
}

/** What came of a form: shown once, on the next page. */
export interface Outcome {
  readonly kind: 'done' | 'attention' | 'refused';
  readonly text: string;
}

/** A request for a page: who asks for it, in which language, and all else that a page needs to know of it. */
export interface Visit {
  readonly locale: Language;
  /** In that language. */
  readonly messages: Messages;
  readonly user: PanelUser | null;
  readonly csrfToken: string;
  /** With its query, as the browser has it. */
  readonly url: string;
  /** The page answers a form, or shows something once: a GET of its URL would bring something else, or nothing. */
  readonly answersForm: boolean;
  /** A browser that reloads it, or comes back to it, would send the form again: no session keeps it for a GET. */
  readonly wasPosted: boolean;
  /** Shown once, after the action that left it. */
  readonly outcome: Outcome | null;
  readonly address: string;
  /** What this service calls itself. */
  readonly siteName: string;
  readonly topUp: TopUpWays;
}

/** How customers bring money in. */
export interface TopUpWays {
  /** Each customer has a deposit address. */
  readonly deposits: boolean;
  /** In the operator's own words. */
  readonly text: string | undefined;
}

/** Behind a guard that lets only users in. */
export interface UserVisit extends Visit {
  readonly user: PanelUser;
}

export interface PanelRequest extends Request {
  visit?: Visit;
  /** What went wrong before there was a controller: the guard throws it, so that it becomes a page. */
  panelFailure?: unknown;
}

/** Called where a page is rendered, and nowhere else: redirects and files show no outcome. */
export function outcomeShown({ session, visit, method }: PanelRequest): void {
  // Keep an outcome that this very request has left for the next page.
  if (method === 'HEAD' || !visit?.outcome) return;
  const current = session as PanelRequest['session'] | undefined;
  if (current?.outcome === visit.outcome) delete current.outcome;
}

export const ThisVisit = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<PanelRequest>().visit,
);

/** Who answers for what this request does. */
export function operatorOf({ user, address }: UserVisit): Operator {
  return { id: user.id, address };
}

/**
 * A page that keeps itself up to date asks for its content alone. Nobody may be there to read it: it neither keeps the session alive nor
 * takes an outcome.
 */
export function asksForFragment({ headers }: IncomingMessage): boolean {
  return headers['panel-fragment'] !== undefined;
}
