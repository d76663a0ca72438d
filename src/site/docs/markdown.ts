import { Marked, type Token, type Tokens } from 'marked';

/** What a page is rendered for. */
export interface MarkdownOptions {
  /** Where a link of the file leads on the site; null for an address outside. */
  readonly linkOf: (href: string) => string | null;
  /** The text of a file that is shown in the place of a link to it; null for any other link. */
  readonly fileAt: (href: string) => string | null;
  /** Conditions of `<!-- when NAME -->` that hold. */
  readonly holds: ReadonlySet<string>;
  /** What stands in the place of `{{name}}`, as plain text. */
  readonly values: Readonly<Record<string, string>>;
}

export interface Section {
  /** Its anchor; empty for the beginning of the page. */
  readonly id: string;
  readonly title: string;
  /** Without markup, for the search. */
  readonly text: string;
}

export interface RenderedMarkdown {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
}

const CONDITION = /^<!-- when ([\w-]+) -->\n([^]*?)^<!-- end -->\n/gm;
const VALUE = /\{\{(\w+)\}\}/g;
/** A table whose heading says nothing. */
const EMPTY_HEAD = /<thead>\s*<tr>\s*(?:<th><\/th>\s*)+<\/tr>\s*<\/thead>/g;

/** A page's markdown as HTML. The files are the repository's own: what is filled in is escaped, what they hold is trusted. */
export function renderMarkdown(source: string, options: MarkdownOptions): RenderedMarkdown {
  const text = source.replaceAll(CONDITION, (_, name: string, part: string) => (options.holds.has(name) ? part : ''));
  const marked = new Marked({ renderer: rendererOf(options) });
  const tokens = marked.lexer(text);
  const html = marked
    .parser(tokens)
    .replaceAll(EMPTY_HEAD, '')
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  const sections = sectionsOf(tokens).map((section) => ({
    ...section,
    title: fill(section.title, options),
    text: fill(section.text, options),
  }));
  return { title: sections[0]?.title ?? '', html: fill(html, options, lines), sections };
}

function rendererOf({ linkOf, fileAt }: MarkdownOptions) {
  const link = (href: string, inner: string) => {
    const target = linkOf(href);
    return target === null
      ? `<a href="${escapeHtml(href)}" rel="noopener">${inner}</a>`
      : `<a href="${escapeHtml(target)}">${inner}</a>`;
  };
  return {
    heading(this: Rendering, { tokens, depth, text }: Tokens.Heading): string {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link(this: Rendering, { href, tokens }: Tokens.Link): string {
      return link(href, this.parser.parseInline(tokens));
    },
    paragraph(this: Rendering, { tokens }: Tokens.Paragraph): string {
      const [only] = tokens;
      const file = tokens.length === 1 && only?.type === 'link' ? fileAt((only as Tokens.Link).href) : null;
      if (file === null) return `<p>${this.parser.parseInline(tokens)}</p>\n`;
      const title = this.parser.parseInline((only as Tokens.Link).tokens);
      return `<details><summary>${title}</summary>${block(file)}</details>\n`;
    },
    code: ({ text }: Tokens.Code) => block(text),
    // Comments are for those who edit the file.
    html: () => '',
  };
}

interface Rendering {
  readonly parser: { parseInline(tokens: Token[]): string };
}

/** It scrolls sideways on a phone: reached by the keyboard too. */
const block = (text: string) => `<pre tabindex="0"><code>${escapeHtml(text.trimEnd())}\n</code></pre>\n`;

/** A code is its own anchor; other headings as GitHub has them. */
export function anchorOf(heading: string): string {
  const text = heading.replaceAll('`', '');
  if (/^[A-Z][A-Z_]+$/.test(text)) return text;
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: { id: string; title: string; text: string }[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { text, depth } = token as Tokens.Heading;
      sections.push({ id: depth === 1 ? '' : anchorOf(text), title: plain(text), text: '' });
    } else if (sections.length > 0) sections.at(-1)!.text += ` ${plain(token.raw)}`;
  }
  return sections;
}

/** Without the marks of markdown, well enough for a search and its excerpts. */
function plain(raw: string): string {
  return raw
    .replaceAll(/<!--[^]*?-->/g, ' ')
    .replaceAll(/\]\([^)]*\)/g, ' ')
    .replaceAll(/^\|[ |:-]+\|$/gm, ' ')
    .replaceAll(/[`*|[\]]|^#+ |^- /gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function fill(text: string, { values }: MarkdownOptions, escape = (value: string) => value): string {
  return text.replaceAll(VALUE, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value is known for {{${name}}}`);
    return escape(value);
  });
}

/** An operator's text has its lines. */
const lines = (value: string) => escapeHtml(value).replaceAll(/\r?\n/g, '<br>\n');

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
