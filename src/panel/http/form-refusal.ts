import { MissingError, DomainError } from '../../common/errors/domain.error';
import type { FormProblem } from '../layout/form-problem';
import type { Locale } from '../messages/locale';
import { refusedField, refusalText } from '../messages/refusal-text';

/** A field that the form itself finds wrong. */
export class FieldError extends DomainError {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** What to show with the form again. @throws what is no refusal, and what concerns a missing thing */
export function problemOf(error: unknown, locale: Locale): FormProblem {
  if (!(error instanceof DomainError) || error instanceof MissingError) throw error;
  const field = error instanceof FieldError ? error.field : refusedField(error);
  return { text: refusalText(error, locale), field };
}
