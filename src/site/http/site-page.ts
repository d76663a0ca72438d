import type { Request, Response } from 'express';
import { LANGUAGE_CODES, type Language } from '../../../config/languages';
import { isLanguage } from '../../languages/languages';
import { setPanelHeaders } from '../../panel/http/panel-headers';

const KEPT_SECONDS = 300;

/** The first language that the browser accepts. */
export function acceptedLanguage(request: Request): Language {
  const accepted = request.acceptsLanguages(...LANGUAGE_CODES);
  return isLanguage(accepted) ? accepted : 'en';
}

export interface Reader {
  readonly language: Language;
  /** The reader chose the language, and keeps it in the panel. What a browser merely accepts must not replace what was chosen there. */
  readonly chosen: boolean;
}

/** What was asked for by `?lang=`, else what the browser accepts. */
export function readerOf(request: Request): Reader {
  const { lang } = request.query;
  return isLanguage(lang) ? { language: lang, chosen: true } : { language: acceptedLanguage(request), chosen: false };
}

interface SiteAnswer {
  readonly html: string;
  readonly status?: number;
  /** Headers of the request that the page depends on. */
  readonly vary?: readonly string[];
  /** For so long a browser may show the page again without asking; 0: it keeps no copy. */
  readonly keptSeconds?: number;
}

/** A page without cookies and without a session: everybody who sends the same headers gets the same one. */
export function sendSitePage(
  response: Response,
  { html, status = 200, vary = [], keptSeconds = KEPT_SECONDS }: SiteAnswer,
): void {
  setPanelHeaders(response);
  if (vary.length > 0) response.vary(vary.join(', '));
  if (keptSeconds > 0 && status === 200) response.setHeader('Cache-Control', `public, max-age=${keptSeconds}`);
  response.status(status).type('html').send(html);
}
