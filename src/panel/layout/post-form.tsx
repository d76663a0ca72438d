import type { ComponentChildren } from 'preact';
import { CSRF_FIELD } from '../http/csrf-tokens';
import type { Visit } from '../http/page-context';
import { type FormProblem, ProblemOfForm, ProblemSummary } from './form-problem';

interface Props {
  readonly visit: Visit;
  readonly action?: string;
  readonly class?: string;
  readonly label?: string;
  readonly problem?: FormProblem;
  readonly children: ComponentChildren;
}

/** Every form that changes something. */
export function PostForm({ visit, action, class: className, label, problem, children }: Props) {
  return (
    <ProblemOfForm.Provider value={problem}>
      <ProblemSummary problem={problem} />
      <form method="post" action={action ?? visit.url} class={className} aria-label={label}>
        <input type="hidden" name={CSRF_FIELD} value={visit.csrfToken} autocomplete="off" />
        {children}
      </form>
    </ProblemOfForm.Provider>
  );
}
