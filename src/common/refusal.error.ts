/** A command or form that cannot be carried out; the message is written for the person who gave it. */
export class RefusalError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusalError';
  }
}

/** A value that can be right in no state of the service: on the command line, wrong usage. */
export class InvalidValueError extends RefusalError {}
