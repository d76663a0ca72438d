/** A command or form that cannot be carried out; the message is written for the person who gave it. */
export class RefusalError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusalError';
  }
}

/** What was named is not there, or is not the caller's to see. */
export class MissingError extends RefusalError {}

/** A value that can be right in no state of the service: on the command line, wrong usage. */
export class InvalidValueError extends RefusalError {}
