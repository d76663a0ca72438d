import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Configuration } from '../../../config/configuration';
import { LANGUAGE_CODES, type Language } from '../../../config/languages';
import { LANGUAGES } from '../../languages/languages';
import { SITE_ASSETS } from '../assets/site-assets';
import type { Reader } from '../http/site-page';

/** What every page of this service has around it. */
interface ServiceFrame {
  readonly siteName: string;
  readonly signUp: boolean;
  readonly statusPage: boolean;
}

export interface SiteFrame extends Reader, ServiceFrame {
  readonly title: string;
  /** This page in a language. */
  readonly pathIn: (language: Language) => string;
  /** Scripts of the page, by their names among the assets. */
  readonly scripts?: readonly string[];
  /** Kept out of search engines: its address is a secret. */
  readonly unlisted?: boolean;
}

export function frameOf({ customers: { siteName, signUp, statusPage } }: Configuration): ServiceFrame {
  return { siteName, signUp: signUp !== 'off', statusPage };
}

/** The one place where a page of the site becomes text; its templates have escaped everything in it. */
export function renderSitePage(frame: SiteFrame, content: VNode): string {
  return `<!doctype html>${renderToString(<SiteLayout frame={frame}>{content}</SiteLayout>)}`;
}

function SiteLayout({ frame, children }: { frame: SiteFrame; children: ComponentChildren }) {
  const { language, siteName, title, scripts = [] } = frame;
  const texts = LANGUAGES[language].site;
  return (
    <html lang={LANGUAGES[language].panel.language.tag}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {frame.unlisted && <meta name="robots" content="noindex" />}
        <title>{title === siteName ? title : `${title} · ${siteName}`}</title>
        <link rel="icon" type="image/svg+xml" href={SITE_ASSETS.url('icon.svg')} />
        <link rel="stylesheet" href={SITE_ASSETS.url('base.css')} />
        <link rel="stylesheet" href={SITE_ASSETS.url('common.css')} />
        <link rel="stylesheet" href={SITE_ASSETS.url('site.css')} />
        {scripts.map((name) => (
          <script key={name} type="module" src={SITE_ASSETS.url(name)} />
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          {texts.skip}
        </a>
        <header class="top">
          <a class="brand" href={`/?lang=${language}`}>
            <img src={SITE_ASSETS.url('icon.svg')} alt="" width="24" height="24" />
            {siteName}
          </a>
          <nav aria-label={texts.navigation}>
            <a href={`/docs/${language}`}>{texts.documents}</a>
            <a href="/docs/api">{texts.reference}</a>
            {frame.statusPage && <a href={statusPath(frame)}>{texts.status.link}</a>}
            <a href={panelPath(frame, '/panel')}>{texts.signIn}</a>
            {frame.signUp && <a href={panelPath(frame, '/panel/sign-up')}>{texts.signUp}</a>}
          </nav>
          <Languages frame={frame} />
        </header>
        {children}
      </body>
    </html>
  );
}

/** A page of the panel, in the language that the reader of the site chose. */
export const panelPath = ({ chosen, language }: Reader, path: string) => (chosen ? `${path}?lang=${language}` : path);

/** The status page, in the language of the page that leads to it. */
export const statusPath = ({ language }: Reader) => `/status?lang=${language}`;

function Languages({ frame: { language, pathIn } }: { frame: SiteFrame }) {
  return (
    <nav class="languages" aria-label={LANGUAGES[language].site.language}>
      {LANGUAGE_CODES.filter((other) => other !== language).map((other) => {
        const { name, tag } = LANGUAGES[other].panel.language;
        return (
          <a key={other} href={pathIn(other)} lang={tag} hreflang={tag}>
            {name}
          </a>
        );
      })}
    </nav>
  );
}
