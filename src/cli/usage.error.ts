/** A wrong command line: exit code 2, with one line that says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
