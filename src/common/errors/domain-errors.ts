import type { ENGLISH } from './domain-errors.english';

export type DomainErrorCode = keyof typeof ENGLISH;

/** Every refusal of a command or form: its code, and the parameters of its text, as the English one takes them. */
export type DomainErrors = { readonly [Code in DomainErrorCode]: Parameters<(typeof ENGLISH)[Code]>[0] };

/** One language's texts: a code without one does not compile. */
export type DomainErrorTexts = {
  readonly [Code in DomainErrorCode]: (parameters: DomainErrors[Code]) => string;
};
