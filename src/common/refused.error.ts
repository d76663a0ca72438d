/** Something an operator asked for that cannot be done as asked; the message is one line for that person. */
export class RefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RefusedError';
  }
}
