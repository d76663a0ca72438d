import type { ComponentChildren } from 'preact';
import { CSRF_FIELD } from '../http/csrf-tokens';
import type { Form } from '../http/form';
import { useVisit } from './current-visit';
import { type FormProblem, ProblemOfForm, ProblemSummary, ShownForm } from './form-problem';

interface Props {
  readonly action?: string;
  readonly class?: string;
  readonly label?: string;
  readonly problem?: FormProblem;
  /** What its fields show: as typed, when it was refused. */
  readonly form?: Form;
  readonly children: ComponentChildren;
}

/** A form that asks for a page: what is typed stands in its address. */
export function GetForm({
  action,
  class: className,
  label,
  problem,
  form,
  above,
  children,
}: Props & { readonly above?: ComponentChildren }) {
  return (
    <ProblemOfForm.Provider value={problem}>
      <ProblemSummary problem={problem} />
      {above}
      <form method="get" action={action} class={className} aria-label={label}>
        <ShownForm.Provider value={form}>{children}</ShownForm.Provider>
      </form>
    </ProblemOfForm.Provider>
  );
}

/** Every form that changes something. */
export function PostForm({ action, class: className, label, problem, form, children }: Props) {
  const { url, csrfToken } = useVisit();
  return (
    <ProblemOfForm.Provider value={problem}>
      <ProblemSummary problem={problem} />
      <form method="post" action={action ?? url} class={className} aria-label={label}>
        <input type="hidden" name={CSRF_FIELD} value={csrfToken} autocomplete="off" />
        <ShownForm.Provider value={form}>{children}</ShownForm.Provider>
      </form>
    </ProblemOfForm.Provider>
  );
}
