/**
 * No answer could be committed, so none may be given: a failure told to the caller would promise that nothing is charged.
 * The connection is cut instead; the chain decides, and look-up tells.
 */
export class AnswerLostError extends Error {
  constructor(cause?: unknown) {
    super('the answer could not be committed', { cause });
    this.name = 'AnswerLostError';
  }
}
