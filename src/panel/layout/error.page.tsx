import type { Form } from '../http/form';
import type { PanelErrorKind } from '../http/panel-errors';
import { useMessages } from './current-visit';
import { TypedValues } from './typed-values';

interface Props {
  readonly kind: PanelErrorKind;
  readonly requestId: string;
  readonly message?: string;
  /** What was sent. */
  readonly form?: Form;
}

export function ErrorPage({ kind, requestId, message, form }: Props) {
  const messages = useMessages('error');
  return (
    <article class="narrow">
      <h1>{messages[kind].title}</h1>
      <p>{message ?? messages[kind].text}</p>
      <TypedValues form={form} />
      <p>
        {kind === 'signed-out' ? <a href="/panel/sign-in">{messages.signIn}</a> : <a href="/panel">{messages.back}</a>}
      </p>
      <p>
        <small>{messages.request(<code>{requestId}</code>)}</small>
      </p>
    </article>
  );
}
