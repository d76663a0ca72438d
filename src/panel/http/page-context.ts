import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Locale } from '../messages/locale';

const READING = new Set(['GET', 'HEAD']);

/** A request that only wants to look. */
export function isReading({ method }: Request): boolean {
  return READING.has(method);
}

export interface PanelUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly operator: boolean;
}

export interface Notice {
  readonly kind: 'done' | 'refused';
  readonly text: string;
}

/** Everything about this request that a page needs to know. */
export interface PageContext {
  readonly locale: Locale;
  readonly user: PanelUser | null;
  readonly csrfToken: string;
  /** With its query, as the browser has it. */
  readonly url: string;
  /** The page answers a form, or shows something once: asking for its address would bring something else, or nothing. */
  readonly answersForm: boolean;
  /** Shown once, after the action that left it. */
  readonly notice: Notice | null;
  readonly address: string;
}

/** Behind a guard that lets only users in. */
export interface SignedInPageContext extends PageContext {
  readonly user: PanelUser;
}

export interface PanelRequest extends Request {
  pageContext?: PageContext;
  /** What went wrong before there was a controller: the guard throws it, so that it becomes a page. */
  panelFailure?: unknown;
}

/** Called where a page is made of it, and nowhere else: redirects and files do not show it. */
export function noticeShown({ session, pageContext, method }: PanelRequest): void {
  // Not one that was left during this very request.
  if (method === 'HEAD' || !pageContext?.notice) return;
  const current = session as PanelRequest['session'] | undefined;
  if (current?.notice === pageContext.notice) delete current.notice;
}

export const CurrentPageContext = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<PanelRequest>().pageContext,
);
