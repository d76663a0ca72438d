import { DomainError, MissingError } from '../../common/errors/domain.error';
import type { FormProblem } from '../layout/form-problem';
import type { Visit } from './visit';
import { refusedField } from './refused-field';

/** What a form itself knows to be wrong with what was typed, in the reader's language. */
export class FormError extends Error {
  constructor(
    message: string,
    readonly field?: string,
  ) {
    super(message);
    this.name = 'FormError';
  }
}

/** For the form to be shown again with. @throws what is no refusal, or concerns what is not there. */
export function problemOf(error: unknown, { messages }: Visit): FormProblem {
  if (error instanceof FormError) return { text: error.message, field: error.field };
  if (!(error instanceof DomainError) || error instanceof MissingError) throw error;
  return { text: messages.language.refusal(error), field: refusedField(error) };
}
