/** A command or form that cannot be carried out; the message is written for the person who gave it. */
export class RefusalError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusalError';
  }
}
