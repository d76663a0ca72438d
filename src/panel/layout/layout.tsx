import type { ComponentChildren } from 'preact';
import { assetUrl } from '../assets/assets';
import type { Visit } from '../http/page-context';
import { LANGUAGE_TAGS, LOCALES } from '../messages/locale';
import { LAYOUT_WORDS } from '../messages/layout.messages';
import { Navigation } from './navigation';
import { PostForm } from './post-form';

const LANGUAGE_NAMES = { en: 'English', zh: '中文' };

export function Layout({ visit, title, children }: { visit: Visit; title: string; children: ComponentChildren }) {
  const words = LAYOUT_WORDS[visit.locale];
  return (
    <html lang={LANGUAGE_TAGS[visit.locale]}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${words.panel}`}</title>
        <link rel="icon" type="image/svg+xml" href={assetUrl('icon.svg')} />
        <link rel="stylesheet" href={assetUrl('base.css')} />
        <link rel="stylesheet" href={assetUrl('panel.css')} />
        <script src={assetUrl('panel.js')} defer />
      </head>
      <body>
        <a class="skip" href="#content">
          {words.skip}
        </a>
        <header class="top">
          <a class="brand" href="/panel">
            <img src={assetUrl('icon.svg')} alt="" width="24" height="24" />
            {words.panel}
          </a>
          <Corner visit={visit} />
        </header>
        <div class={visit.user ? 'frame' : 'frame alone'}>
          {visit.user && <Navigation visit={visit} />}
          <main id="content" tabindex={-1}>
            {visit.notice && (
              <p class={`notice ${visit.notice.kind}`} role="status">
                {visit.notice.text}
              </p>
            )}
            {children}
          </main>
        </div>
      </body>
    </html>
  );
}

function Corner({ visit }: { visit: Visit }) {
  const words = LAYOUT_WORDS[visit.locale];
  return (
    <div class="corner">
      {!visit.answersForm && (
        <nav aria-label={words.language} class="languages">
          {LOCALES.filter((locale) => locale !== visit.locale).map((locale) => (
            <a
              key={locale}
              href={switchTo(visit.url, locale)}
              lang={LANGUAGE_TAGS[locale]}
              hreflang={LANGUAGE_TAGS[locale]}
            >
              {LANGUAGE_NAMES[locale]}
            </a>
          ))}
        </nav>
      )}
      {visit.user && (
        <>
          <span class="who">{visit.user.email}</span>
          <PostForm visit={visit} action="/panel/sign-out">
            <button type="submit" class="secondary outline">
              {words.signOut}
            </button>
          </PostForm>
        </>
      )}
    </div>
  );
}

function switchTo(url: string, locale: string): string {
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  query.set('lang', locale);
  return `?${query.toString()}`;
}
