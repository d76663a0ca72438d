import type { Form } from '../http/form';
import type { PageContext } from '../http/page-context';
import type { PanelErrorKind } from '../http/panel-errors';
import { ERROR_MESSAGES } from '../messages/error.messages';
import { TypedValues } from './typed-values';

interface Props {
  readonly kind: PanelErrorKind;
  readonly pageContext: PageContext;
  readonly requestId: string;
  readonly message?: string;
  /** What was sent. */
  readonly form?: Form;
}

export function ErrorPage({ kind, pageContext, requestId, message, form }: Props) {
  const messages = ERROR_MESSAGES[pageContext.locale];
  return (
    <article class="narrow">
      <h1>{messages[kind].title}</h1>
      <p>{message ?? messages[kind].text}</p>
      <TypedValues pageContext={pageContext} form={form} />
      <p>
        {kind === 'signed-out' ? <a href="/panel/sign-in">{messages.signIn}</a> : <a href="/panel">{messages.back}</a>}
      </p>
      <p>
        <small>
          {messages.request} <code>{requestId}</code>
        </small>
      </p>
    </article>
  );
}
