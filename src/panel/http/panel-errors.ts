/** What was wrong with a form that was sent, and with which of its fields. */
export interface FormProblem {
  readonly text: string;
  /** None: it concerns the form as a whole. */
  readonly field?: string;
}

/** What the panel answers with an error page; the words for each are in the error page. */
export type PanelErrorKind =
  | 'not-found'
  | 'signed-out'
  | 'expired-form'
  | 'foreign-form'
  | 'bad-form'
  | 'throttled'
  | 'busy'
  | 'exporting'
  | 'flood'
  | 'unavailable'
  | 'internal';

export class PanelError extends Error {
  constructor(
    readonly kind: PanelErrorKind,
    readonly retryAfterSeconds?: number,
  ) {
    super(kind);
    this.name = 'PanelError';
  }
}

/** What a page is of. @throws PanelError not-found */
export function existing<Thing>(thing: Thing | null | undefined): Thing {
  if (thing === null || thing === undefined) throw new PanelError('not-found');
  return thing;
}

/** An operator without a second factor, where it is required: leads to the page that sets one up. */
export class SecondFactorRequiredError extends Error {
  constructor() {
    super('second factor required');
    this.name = 'SecondFactorRequiredError';
  }
}

/** What was asked for takes more than an open browser: the form comes back with a field for the password. */
export class PasswordAgainError extends Error {
  constructor(readonly problem?: FormProblem) {
    super('password required');
    this.name = 'PasswordAgainError';
  }
}

/** Nobody is signed in: leads to the sign-in page. */
export class SignInRequiredError extends Error {
  constructor() {
    super('sign-in required');
    this.name = 'SignInRequiredError';
  }
}
