import type { FormProblem } from '../layout/form-problem';
import type { Form } from './form';

/** A form of a user's page as it was filled in, when it was refused. */
export interface FormState {
  readonly of: 'movement' | 'subscription' | 'settings';
  readonly form: Form;
  readonly problem?: FormProblem;
}

/** What a form of this page has to show again. */
export function formStateOf(of: FormState['of'], formState: FormState | undefined): Partial<Omit<FormState, 'of'>> {
  return formState?.of === of ? { form: formState.form, problem: formState.problem } : {};
}
