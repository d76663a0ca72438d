/**
 * No answer could be committed, so none may be given: a failure would promise the caller that nothing is charged.
 * The connection is cut instead; the chain decides, and look-up shows it.
 */
export class AnswerLostError extends Error {
  constructor(cause?: unknown) {
    super('the answer could not be committed', { cause });
    this.name = 'AnswerLostError';
  }
}
