import type { PanelErrorKind } from '../http/panel-errors';
import type { Visit } from '../http/visit';
import { ERROR_WORDS } from './error.words';

interface Props {
  readonly kind: PanelErrorKind;
  readonly visit: Visit;
  readonly requestId: string;
  readonly message?: string;
}

export function ErrorPage({ kind, visit, requestId, message }: Props) {
  const words = ERROR_WORDS[visit.locale];
  return (
    <article class="narrow">
      <h1>{words[kind].title}</h1>
      <p>{message ?? words[kind].text}</p>
      <p>
        <a href="/panel">{words.back}</a>
      </p>
      <p>
        <small>
          {words.request} <code>{requestId}</code>
        </small>
      </p>
    </article>
  );
}
