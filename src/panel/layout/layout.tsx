import type { ComponentChildren } from 'preact';
import { ASSETS } from '../assets/assets';
import type { AccountState } from '../http/account-state';
import type { Visit } from '../http/visit';
import { SearchBox } from '../search/search-box';
import { PostButton } from './buttons';
import { AccountBanner } from './account-banner';
import { CurrentVisit, useVisit, useMessages } from './current-visit';
import { LanguageSwitch } from './language-switch';
import { Navigation } from './navigation';

export function Layout({
  visit,
  title,
  account,
  children,
}: {
  visit: Visit;
  title: string;
  account: AccountState | null;
  children: ComponentChildren;
}) {
  const messages = visit.messages.layout;
  return (
    <CurrentVisit.Provider value={visit}>
      <html
        lang={visit.messages.language.tag}
        data-zone={visit.user?.ownTimeZone ?? undefined}
        data-posted={visit.wasPosted ? '' : undefined}
      >
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>{`${title} · ${visit.siteName}`}</title>
          <link rel="icon" type="image/svg+xml" href={ASSETS.url('icon.svg')} />
          <link rel="stylesheet" href={ASSETS.url('base.css')} />
          <link rel="stylesheet" href={ASSETS.url('common.css')} />
          <link rel="stylesheet" href={ASSETS.url('panel.css')} />
          <link rel="stylesheet" href={ASSETS.url('tables.css')} />
          <script type="module" src={ASSETS.url('panel.js')} />
          <script type="module" src={ASSETS.url('times.js')} />
          <script type="module" src={ASSETS.url('live.js')} />
          <script type="module" src={ASSETS.url('first-call.js')} />
        </head>
        <body>
          <a class="skip" href="#content">
            {messages.skip}
          </a>
          <header class="top">
            <a class="brand" href="/panel">
              <img src={ASSETS.url('icon.svg')} alt="" width="24" height="24" />
              {visit.siteName}
            </a>
            {visit.user && (
              // What it folds on a phone stands after it and in the frame: elsewhere all of that is always there.
              <details class="fold">
                <summary>{messages.menu}</summary>
              </details>
            )}
            {visit.user && <SearchBox />}
            <Corner />
          </header>
          <div class={visit.user ? 'frame' : 'frame alone'}>
            {visit.user && <Navigation openFindings={account?.openFindings ?? null} />}
            <main id="content" tabindex={-1}>
              {account && <AccountBanner account={account} />}
              <p id="stale" class="notice stale" role="status" hidden>
                {messages.stale} <a href={visit.url}>{messages.reload}</a>
              </p>
              {visit.outcome && (
                <p class={`notice ${visit.outcome.kind}`} role="status">
                  {visit.outcome.text}
                </p>
              )}
              {children}
            </main>
          </div>
          <p
            id="announcer"
            class="heard"
            aria-live="polite"
            data-copied={messages.copied}
            data-selected={messages.notCopied}
          />
        </body>
      </html>
    </CurrentVisit.Provider>
  );
}

function Corner() {
  const { answersForm, locale, user } = useVisit();
  const messages = useMessages('layout');
  return (
    <div class="corner">
      <a href={`/docs/${locale}`}>{messages.documents}</a>
      {!answersForm && <LanguageSwitch />}
      {user && (
        <>
          <span class="who">{user.email}</span>
          <PostButton action="/panel/sign-out" class="secondary outline" text={messages.signOut} />
        </>
      )}
    </div>
  );
}
