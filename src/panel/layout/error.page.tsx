import type { Form } from '../http/form';
import type { PanelErrorKind } from '../http/panel-errors';
import type { Visit } from '../http/page-context';
import { ERROR_WORDS } from '../messages/error.messages';
import { TypedValues } from './typed-values';

interface Props {
  readonly kind: PanelErrorKind;
  readonly visit: Visit;
  readonly requestId: string;
  readonly message?: string;
  /** What was sent. */
  readonly form?: Form;
}

export function ErrorPage({ kind, visit, requestId, message, form }: Props) {
  const words = ERROR_WORDS[visit.locale];
  return (
    <article class="narrow">
      <h1>{words[kind].title}</h1>
      <p>{message ?? words[kind].text}</p>
      <TypedValues visit={visit} form={form} />
      <p>{kind === 'signed-out' ? <a href="/panel/sign-in">{words.signIn}</a> : <a href="/panel">{words.back}</a>}</p>
      <p>
        <small>
          {words.request} <code>{requestId}</code>
        </small>
      </p>
    </article>
  );
}
