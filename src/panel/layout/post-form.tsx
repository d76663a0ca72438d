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
  /** Between what was wrong and the form. */
  readonly above?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A form that asks for a page: what is typed stands in its address. */
export function GetForm(props: Props) {
  return <AnyForm {...props} method="get" />;
}

/** Every form that changes something. */
export function PostForm({ children, ...props }: Props) {
  const { url, csrfToken } = useVisit();
  return (
    <AnyForm {...props} action={props.action ?? url} method="post">
      <input type="hidden" name={CSRF_FIELD} value={csrfToken} autocomplete="off" />
      {children}
    </AnyForm>
  );
}

function AnyForm({ method, children, ...props }: Props & { method: 'get' | 'post' }) {
  const { action, class: className, label, problem, form, above } = props;
  return (
    <ProblemOfForm.Provider value={problem}>
      <ProblemSummary problem={problem} />
      {above}
      <form method={method} action={action} class={className} aria-label={label}>
        <ShownForm.Provider value={form}>{children}</ShownForm.Provider>
      </form>
    </ProblemOfForm.Provider>
  );
}
