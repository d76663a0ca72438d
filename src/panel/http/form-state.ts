import type { Form } from './form';
import type { FormProblem } from '../layout/form-problem';

/** A form of a user's page as it was filled in, when it did not go through. */
export interface Attempt {
  readonly of: 'movement' | 'subscription' | 'settings';
  readonly form: Form;
  readonly problem?: FormProblem;
}

/** What a form of this page has to show again. */
export function attemptAt(of: Attempt['of'], attempt: Attempt | undefined): Partial<Omit<Attempt, 'of'>> {
  return attempt?.of === of ? { form: attempt.form, problem: attempt.problem } : {};
}
