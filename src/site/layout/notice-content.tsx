import type { Language } from '../../../config/languages';
import { LANGUAGES } from '../../languages/languages';

interface Props {
  readonly language: Language;
  readonly title: string;
  readonly text: string;
  /** As the log has it. */
  readonly requestId?: string;
}

/** A page that only says why there is nothing to see. */
export function NoticeContent({ language, title, text, requestId }: Props) {
  return (
    <div class="frame alone">
      <main id="content" tabindex={-1}>
        <h1>{title}</h1>
        <p>{text}</p>
        <p>
          <a href={`/docs/${language}`}>{LANGUAGES[language].site.missing.start}</a>
        </p>
        {requestId !== undefined && (
          <p>
            <small>{LANGUAGES[language].panel.error.request(<code>{requestId}</code>)}</small>
          </p>
        )}
      </main>
    </div>
  );
}
