/** A command or form that cannot be carried out; the message is written for the person who gave it. */
export class DomainError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DomainError';
  }
}

/** What was named is not there, or is not the caller's to see. */
export class MissingError extends DomainError {}

/** A value that can be right in no state of the service: on the command line, wrong usage. */
export class InvalidValueError extends DomainError {}
