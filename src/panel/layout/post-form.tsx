import type { ComponentChildren } from 'preact';
import { CSRF_FIELD } from '../http/csrf-tokens';
import { useCurrentPage } from './current-page';
import { type FormProblem, ProblemOfForm, ProblemSummary } from './form-problem';

interface Props {
  readonly action?: string;
  readonly class?: string;
  readonly label?: string;
  readonly problem?: FormProblem;
  readonly children: ComponentChildren;
}

/** Every form that changes something. */
export function PostForm({ action, class: className, label, problem, children }: Props) {
  const { url, csrfToken } = useCurrentPage();
  return (
    <ProblemOfForm.Provider value={problem}>
      <ProblemSummary problem={problem} />
      <form method="post" action={action ?? url} class={className} aria-label={label}>
        <input type="hidden" name={CSRF_FIELD} value={csrfToken} autocomplete="off" />
        {children}
      </form>
    </ProblemOfForm.Provider>
  );
}
