import { ADDRESS } from './notices';
import type { SettingReader } from './setting-reader';

const SIGN_UPS = ['off', 'approval', 'open'] as const;
const LONGEST_SITE_NAME = 60;
const LONGEST_TOP_UP_TEXT = 2_000;
/** A mail's header, a page's title: one line, and nothing in it that a reader does not see. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const UNSEEN_BUT_LINES = /[^\P{Cc}\r\n\t]/u;

/** How strangers become customers, and what the service says of itself to both. */
export interface Customers {
  readonly customers: {
    /** `approval`: an operator decides on each address that was confirmed; `open`: confirming it is enough. */
    readonly signUp: (typeof SIGN_UPS)[number];
    /** What pages and mails call the service. */
    readonly siteName: string;
    /** Where customers write to; mails to them are answered there. */
    readonly contactEmail?: string;
    /** How customers top up, in the operator's own words. */
    readonly topUpText?: string;
    /** `/status` says whether orders are taken, and how that was over 90 days. */
    readonly statusPage: boolean;
  };
}

export function readCustomers(settings: SettingReader, production: boolean): Customers {
  return {
    customers: {
      signUp: readSignUp(settings, production),
      siteName: readSiteName(settings),
      contactEmail: readContactEmail(settings),
      topUpText: readTopUpText(settings),
      statusPage: settings.choice('STATUS_PAGE', ['on', 'off'], 'off') === 'on',
    },
  };
}

/** Without mail no address could be confirmed, nor with a link to the reader's own machine. */
function readSignUp(settings: SettingReader, production: boolean): Customers['customers']['signUp'] {
  const signUp = settings.choice('SIGN_UP', SIGN_UPS, 'off');
  if (signUp === 'off') return signUp;
  if (settings.text('SMTP_URL') === undefined)
    return settings.wrong(
      'SIGN_UP',
      'needs SMTP_URL, because users confirm their address with a link in a mail',
      'off',
    );
  if (production && settings.text('PUBLIC_URL') === undefined)
    return settings.wrong(
      'SIGN_UP',
      'needs PUBLIC_URL in production, because the links in mails to strangers begin with it',
      'off',
    );
  return signUp;
}

function readSiteName(settings: SettingReader): string {
  const name = settings.text('SITE_NAME') ?? 'Energy';
  if (name.length <= LONGEST_SITE_NAME && !UNSEEN.test(name)) return name;
  return settings.wrong('SITE_NAME', `must be one line of at most ${LONGEST_SITE_NAME} characters`, 'Energy');
}

function readContactEmail(settings: SettingReader): string | undefined {
  const email = settings.text('CONTACT_EMAIL');
  if (email === undefined || ADDRESS.test(email)) return email;
  return settings.wrong('CONTACT_EMAIL', 'must be an e-mail address', undefined);
}

function readTopUpText(settings: SettingReader): string | undefined {
  const text = settings.text('TOP_UP_TEXT');
  if (text === undefined || (text.length <= LONGEST_TOP_UP_TEXT && !UNSEEN_BUT_LINES.test(text))) return text;
  return settings.wrong('TOP_UP_TEXT', `must be a text of at most ${LONGEST_TOP_UP_TEXT} characters`, undefined);
}
