/** A command line that cannot be understood: exit code 2, with one line that says why. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
