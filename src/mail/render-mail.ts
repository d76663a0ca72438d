import { LANGUAGES, type Texts } from '../languages/languages';
import type { Language } from '../../config/languages';
import type { MailKind } from './mail-outbox';

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Content {
  readonly kind: MailKind;
  readonly facts: object;
  readonly language: Language;
  readonly siteName: string;
  /** Where a reader who needs an operator writes to. */
  readonly contact: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Path and query. */
  readonly link: string;
}

export function isMailKind(kind: string): kind is MailKind {
  return Object.hasOwn(LANGUAGES.en.mails, kind);
}

/** The same in plain text and HTML. What a user or an operator has written is text in both, and stands in no header. */
export function renderMail({ kind, facts, language, siteName, contact, baseUrl, link }: Content): RenderedMail {
  const write = LANGUAGES[language].mails[kind] as (
    site: string,
    facts: object,
    contact: string,
  ) => ReturnType<Texts['mails']['sign_up']>;
  const { subject, lines, link: label } = write(siteName, facts, contact);
  const url = `${baseUrl}${link}`;
  const documents = { label: LANGUAGES[language].site.documents, url: `${baseUrl}/docs/${language}` };
  const foot = `-- \n${siteName} · ${baseUrl}\n${documents.label}: ${documents.url}`;
  const text = [...lines, `${label}: ${url}`, foot].join('\n\n');
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escape(subject)}</title></head>`,
    '<body style="font-family:sans-serif;line-height:1.5;max-width:36em">',
    ...lines.map((line) => `<p>${escape(line)}</p>`),
    `<p><a href="${escape(url)}">${escape(label)}</a></p>`,
    `<p style="overflow-wrap:anywhere"><small>${escape(url)}</small></p>`,
    `<p><small>${escape(siteName)} · <a href="${escape(baseUrl)}">${escape(baseUrl)}</a>`,
    ` · <a href="${escape(documents.url)}">${escape(documents.label)}</a></small></p>`,
    '</body></html>',
  ].join('\n');
  return { subject, text, html };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}
