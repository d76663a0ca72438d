import type { ComponentChildren } from 'preact';
import { CSRF_FIELD } from '../http/csrf-tokens';
import type { PageContext } from '../http/page-context';
import { type FormProblem, ProblemOfForm, ProblemSummary } from './form-problem';

interface Props {
  readonly pageContext: PageContext;
  readonly action?: string;
  readonly class?: string;
  readonly label?: string;
  readonly problem?: FormProblem;
  readonly children: ComponentChildren;
}

/** Every form that changes something. */
export function PostForm({ pageContext, action, class: className, label, problem, children }: Props) {
  return (
    <ProblemOfForm.Provider value={problem}>
      <ProblemSummary problem={problem} />
      <form method="post" action={action ?? pageContext.url} class={className} aria-label={label}>
        <input type="hidden" name={CSRF_FIELD} value={pageContext.csrfToken} autocomplete="off" />
        {children}
      </form>
    </ProblemOfForm.Provider>
  );
}
