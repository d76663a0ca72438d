import type { DomainErrorCode, DomainErrors, DomainErrorTexts } from './domain-errors';
import { ENGLISH, FOR_OPERATORS, type INVALID_VALUES, type MISSING } from './domain-errors.english';

type ParametersOf<Code extends DomainErrorCode> = DomainErrors[Code] extends undefined
  ? []
  : [parameters: DomainErrors[Code]];

/** A command or form that cannot be carried out. The message is English, for command line and logs; `textIn` is for the person who sent the form. */
export class DomainError<Code extends DomainErrorCode = DomainErrorCode> extends Error {
  readonly parameters: DomainErrors[Code];

  constructor(
    readonly code: Code,
    ...[parameters]: ParametersOf<Code>
  ) {
    super(`${(ENGLISH as DomainErrorTexts)[code](parameters as DomainErrors[Code])}${FOR_OPERATORS[code] ?? ''}`);
    this.name = 'DomainError';
    this.parameters = parameters as DomainErrors[Code];
  }

  textIn(texts: DomainErrorTexts): string {
    return texts[this.code](this.parameters);
  }
}

/** What was named is not there, or is not the caller's to see. */
export class MissingError<Code extends keyof typeof MISSING = keyof typeof MISSING> extends DomainError<Code> {}

/** A value that can be right in no state of the service: on the command line, wrong usage. */
export class InvalidValueError<
  Code extends keyof typeof INVALID_VALUES = keyof typeof INVALID_VALUES,
> extends DomainError<Code> {}
