import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { SessionService } from '../../auth/sessions/session.service';
import { renderPage } from '../layout/render-page';
import { ownPath } from '../sign-in/own-path';
import type { AccountState } from './account-state';
import { isReading, type PanelRequest } from './visit';
import { type Page, SecretPage, ShownAnswer } from './reply';
import { openInSession, sealInSession } from './session-seal';

export const ANSWER_PATH = '/panel/answer';
const PURPOSE = 'answer to a form';
/** A page that holds more of what was typed is not kept: eight of them are rewritten with each form. */
const MOST_SEALED = 32_000;

interface Kept {
  readonly zipped: string;
  readonly status: number;
  /** It holds a secret: the first GET that shows it takes it away. */
  readonly once: boolean;
  readonly operator: boolean;
}

/**
 * A page that answers a form waits in the session, and the form leads to a GET that shows it: so Back and reload show it again and send
 * nothing. What was typed is in no URL. The row in the database has it sealed with the id that the browser alone has.
 */
@Injectable()
export class KeptAnswers {
  private readonly logger = new Logger(KeptAnswers.name);

  constructor(private readonly sessions: SessionService) {}

  /** Where the page is shown; null when it answers no form, or cannot be kept. */
  async keep(request: PanelRequest, page: Page, account: AccountState | null = null): Promise<string | null> {
    const { visit } = request;
    if (isReading(request) || !visit?.user) return null;
    const id = randomUUID();
    const html = renderPage({ ...visit, wasPosted: false }, page, account);
    const kept: Kept = {
      zipped: gzipSync(html).toString('base64'),
      status: page.status,
      once: page instanceof SecretPage,
      operator: visit.user.operator,
    };
    const sealed = sealInSession(request.sessionID, PURPOSE, kept);
    if (sealed.length > MOST_SEALED || !(await this.isKept(request, id, sealed))) return null;
    return `${ANSWER_PATH}?${new URLSearchParams({ id, form: formPathOf(request) }).toString()}`;
  }

  /** The form was carried out already, and its page may hold a secret that is shown once: without the database it is the answer itself. */
  private async isKept({ sessionID }: PanelRequest, id: string, sealed: string): Promise<boolean> {
    try {
      return await this.sessions.keepAnswer(sessionID, id, sealed);
    } catch (error) {
      this.logger.error({ err: error }, 'The page that answers a form could not be kept');
      return false;
    }
  }

  /** Null for another session's, for one that is too old or was taken, and for an operator's once the user is none. */
  async find(request: PanelRequest, id: string): Promise<ShownAnswer | null> {
    const sealed = await this.sessions.findAnswer(request.sessionID, id);
    const kept = sealed === null ? null : (openInSession(request.sessionID, PURPOSE, sealed) as Kept | null);
    if (!kept || (kept.operator && !request.visit!.user!.operator)) return null;
    // A HEAD request has shown nothing to anybody.
    if (kept.once && request.method !== 'HEAD') await this.sessions.dropAnswer(request.sessionID, id);
    return new ShownAnswer(gunzipSync(Buffer.from(kept.zipped, 'base64')).toString(), kept.status);
  }
}

/** The page of the form, where the browser goes once the answer is no longer kept. */
function formPathOf(request: PanelRequest): string {
  const referrer = request.get('Referer') ?? '';
  if (!URL.canParse(referrer)) return '/panel';
  const { pathname, search, searchParams } = new URL(referrer);
  return ownPath(pathname === ANSWER_PATH ? (searchParams.get('form') ?? '') : `${pathname}${search}`);
}
