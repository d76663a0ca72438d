import type { Language } from '../../../config/languages';
import { LANGUAGES } from '../../languages/languages';

/** A page that only says why there is nothing to see. */
export function NoticeContent({ language, title, text }: { language: Language; title: string; text: string }) {
  return (
    <div class="frame alone">
      <main id="content" tabindex={-1}>
        <h1>{title}</h1>
        <p>{text}</p>
        <p>
          <a href={`/docs/${language}`}>{LANGUAGES[language].site.missing.start}</a>
        </p>
      </main>
    </div>
  );
}
