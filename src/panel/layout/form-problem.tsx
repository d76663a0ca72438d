import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Form, textOf } from '../http/form';
import type { FormProblem } from '../http/panel-errors';

export type { FormProblem } from '../http/panel-errors';

/** The problem of the surrounding form. */
export const ProblemOfForm = createContext<FormProblem | undefined>(undefined);

/** What the fields of the surrounding form show, by their names. */
export const ShownForm = createContext<Form | undefined>(undefined);

export function useShown(name: string): string | undefined {
  const form = useContext(ShownForm);
  return form && textOf(form, name);
}

const SUMMARY = 'form-problem';

/** Above the form. The focus goes to the wrong field, with which this is read out, or else to this. */
export function ProblemSummary({ problem }: { problem: FormProblem | undefined }) {
  if (!problem) return null;
  const { text, field } = problem;
  return (
    <p class="notice refused" role="alert" id={SUMMARY} tabindex={-1} autofocus={field === undefined}>
      {field === undefined ? text : <a href={`#field-${field}`}>{text}</a>}
    </p>
  );
}

/** The attributes of a field that is wrong. */
export function useFieldState(name: string, { hintId, autofocus }: { hintId?: string; autofocus?: boolean }) {
  const problem = useContext(ProblemOfForm);
  const wrong = problem?.field === name;
  return {
    'aria-invalid': wrong ? ('true' as const) : undefined,
    'aria-describedby': [wrong && SUMMARY, hintId].filter(Boolean).join(' ') || undefined,
    autofocus: problem ? wrong : autofocus,
  };
}
