import { MissingError, DomainError } from '../../common/errors/domain.error';
import type { FormProblem } from '../layout/form-problem';
import type { Locale } from '../messages/locale';
import { refusedField, refusalText } from '../messages/refusal-text';

/** What a form itself knows to be wrong with a field of it. */
export class FieldError extends DomainError {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** For the form to be shown again with. @throws what is no refusal, or concerns what is not there. */
export function problemOf(error: unknown, locale: Locale): FormProblem {
  if (!(error instanceof DomainError) || error instanceof MissingError) throw error;
  const field = error instanceof FieldError ? error.field : refusedField(error);
  return { text: refusalText(error, locale), field };
}
