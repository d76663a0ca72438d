/** What the panel answers with an error page; the words for each are in the error page. */
export type PanelErrorKind =
  'not-found' | 'signed-out' | 'expired-form' | 'foreign-form' | 'bad-form' | 'throttled' | 'unavailable' | 'internal';

export class PanelError extends Error {
  constructor(
    readonly kind: PanelErrorKind,
    readonly retryAfterSeconds?: number,
  ) {
    super(kind);
    this.name = 'PanelError';
  }
}

/** Nobody is signed in: leads to the sign-in page. */
export class SignInRequiredError extends Error {
  constructor() {
    super('sign-in required');
    this.name = 'SignInRequiredError';
  }
}
