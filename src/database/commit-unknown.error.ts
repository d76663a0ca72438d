/** The connection broke between the commit and its acknowledgement: everything of the transaction is there, or nothing. */
export class CommitUnknownError extends Error {
  constructor(
    cause: unknown,
    /** What the transaction would have returned. */
    readonly result: unknown,
  ) {
    super('the commit was not acknowledged', { cause });
    this.name = 'CommitUnknownError';
  }
}
