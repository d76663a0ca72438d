/** What a mail says: paragraphs, and the words of the one link below them. */
export interface MailText {
  readonly subject: string;
  readonly lines: readonly string[];
  readonly link: string;
}

/** `contact`: the address that a reader who needs an operator writes to. */
type Text<Facts = object> = (site: string, facts: Facts, contact: string) => MailText;

const NOT_YOU = 'If this was not you, set a new password at once and revoke the tokens that you do not know.';

const signUp: Text = (site) => ({
  subject: `Confirm your e-mail address for ${site}`,
  lines: [
    `Someone has signed up for ${site} with this e-mail address.`,
    'If it was you, confirm the address within 24 hours. The link works once.',
    'If it was not you, do nothing: without a confirmation we create no account.',
  ],
  link: 'Confirm the address',
});

const signUpKnown: Text = (site) => ({
  subject: `You already have an account with ${site}`,
  lines: [
    `Someone has signed up for ${site} with this e-mail address, which already has an account. Nothing has changed.`,
    'If it was you, sign in. If you have forgotten your password, the sign-in page sends you a link for a new one.',
    'If it was not you, do nothing.',
  ],
  link: 'Sign in',
});

const signUpWaiting: Text = (site) => ({
  subject: `Your sign-up for ${site} is waiting`,
  lines: [
    `Someone has signed up for ${site} again with this e-mail address. The address is already confirmed, and an operator will review the first sign-up.`,
    'You will get a mail as soon as the operator has decided.',
  ],
  link: site,
});

const approved: Text = (site) => ({
  subject: `Welcome to ${site}`,
  lines: ['Your account is ready. Sign in with your e-mail address and the password that you have chosen.'],
  link: 'Sign in',
});

const refused: Text<{ note: string }> = (site, { note }) => ({
  subject: `Your sign-up for ${site}`,
  lines: [`An operator of ${site} has reviewed your sign-up and has not opened an account.`, `The reason: ${note}`],
  link: site,
});

const passwordReset: Text = (site) => ({
  subject: `Set a new password for ${site}`,
  lines: [
    `Someone has asked for a new password for your account with ${site}.`,
    'If it was you, set one within an hour. The link works once. All your sessions then end.',
    'If it was not you, do nothing: your password stays as it is.',
  ],
  link: 'Set a new password',
});

const invitation: Text = (site) => ({
  subject: `Your account with ${site}`,
  lines: [
    `An operator of ${site} sends you this link. Use it to set your password.`,
    'The link works once, within three days.',
  ],
  link: 'Set your password',
});

const emailConfirm: Text = (site) => ({
  subject: `Confirm your new e-mail address for ${site}`,
  lines: [
    `A customer of ${site} wants to sign in with this e-mail address from now on.`,
    'If it is you, confirm the address within 24 hours. The link works once.',
    'If it is not you, do nothing: the address is not used.',
  ],
  link: 'Confirm the address',
});

const emailTaken: Text = (site) => ({
  subject: `Your e-mail address at ${site}`,
  lines: [
    `A customer of ${site} tried to change to this e-mail address. It already belongs to another account, so nothing has changed.`,
    'If it was you, sign in to the account that has this address. If it was not you, do nothing.',
  ],
  link: 'Sign in',
});

const emailChanged: Text<{ email: string }> = (site, { email }, contact) => ({
  subject: `Your e-mail address at ${site} has changed`,
  lines: [
    `Your account with ${site} now has the e-mail address ${email}. The old address no longer signs in.`,
    `If this was not you, write to ${contact} at once: an operator can give the account its address back.`,
  ],
  link: site,
});

const tokenCreated: Text<{ name: string }> = (site, { name }) => ({
  subject: `A new API token at ${site}`,
  lines: [`Your account with ${site} has a new API token: ${name}.`, NOT_YOU],
  link: 'See your tokens',
});

const webhookAddress: Text<{ host: string }> = (site, { host }) => ({
  subject: `A new webhook address at ${site}`,
  lines: [`Your account with ${site} now sends its events to ${host}.`, NOT_YOU],
  link: 'See your webhooks',
});

const passwordChanged: Text<{ tokens?: 'revoked' }> = (site, { tokens }) => ({
  subject: `Your password at ${site} has changed`,
  lines: [
    `Your account with ${site} has a new password, and its earlier sessions have ended.`,
    ...(tokens ? ['All its API tokens are revoked: programs that use them need new ones.'] : []),
    'If this was not you, ask for a new password on the sign-in page at once.',
  ],
  link: 'Sign in',
});

const FACTOR = {
  enabled: 'now needs a second factor to sign in',
  replaced: 'has a new second factor',
  codes: 'has new recovery codes, and the old ones no longer work',
  removed: 'no longer needs a second factor to sign in',
};

const secondFactorChanged: Text<{ change: keyof typeof FACTOR }> = (site, { change }) => ({
  subject: `Your second factor at ${site} has changed`,
  lines: [`Your account with ${site} ${FACTOR[change]}.`, NOT_YOU],
  link: 'See your account',
});

/** Mails to users, by their kinds. None repeats what a stranger has typed: with it, the service would send strangers' words. */
export const mails = {
  sign_up: signUp,
  sign_up_known: signUpKnown,
  sign_up_waiting: signUpWaiting,
  approved,
  refused,
  password_reset: passwordReset,
  invitation,
  email_confirm: emailConfirm,
  email_taken: emailTaken,
  email_changed: emailChanged,
  token_created: tokenCreated,
  webhook_address: webhookAddress,
  password_changed: passwordChanged,
  second_factor_changed: secondFactorChanged,
};
