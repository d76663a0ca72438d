import type { ComponentChildren } from 'preact';
import { CSRF_FIELD } from '../http/csrf-tokens';
import type { Visit } from '../http/visit';

interface Props {
  readonly visit: Visit;
  readonly action?: string;
  readonly class?: string;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** Every form that changes something. */
export function PostForm({ visit, action, class: className, label, children }: Props) {
  return (
    <form method="post" action={action ?? visit.url} class={className} aria-label={label}>
      <input type="hidden" name={CSRF_FIELD} value={visit.csrfToken} />
      {children}
    </form>
  );
}
