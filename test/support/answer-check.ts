import { DOCUMENT, type DescribedAnswer, type PathItem, violationsOf } from './api-document';

export interface SeenAnswer {
  readonly method: string;
  /** Target of the request, with its query. */
  readonly url: string;
  readonly status: number;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Undefined: not known, and `cost` may be there or not. */
  readonly variant?: string;
}

/** Headers of our own making, as against those of HTTP, of security and of the connection. */
const OUR_HEADER = /^(?:x-(?:request|error|delegation)-|ratelimit-|retry-after$|link$|www-authenticate$|allow$)/;
/** Pages, metrics and what a test has added are no part of the document. */
const API = /^\/(?:api|health)(?:\/(?!probe)|$)/i;
const ITEMS = Object.entries(DOCUMENT.paths).map(([template, item]) => {
  const pattern = template.replaceAll(/\{\w+\}/g, '[^/]+');
  return { item, pattern: new RegExp(`^${pattern}$`, 'i') };
});

/** What the document does not say of this answer, or says otherwise, one line each. */
export function undocumented(answer: SeenAnswer): string[] {
  const path = answer.url
    .replace(/[?#].*$/s, '')
    .replace(/^\/api\/tron(?=\/|$)/i, '/api/chain')
    .replace(/(?<=.)\/$/, '');
  if (!API.test(path)) return [];
  const found = describedAnswer(path, answer);
  const problems = found === 'empty' ? emptyAnswer(answer) : compare(found, path, answer);
  const { method, url, status, text } = answer;
  return problems.map((problem) => `${method} ${url} ${status}: ${problem}\n    ${text.slice(0, 500)}`);
}

function describedAnswer(path: string, { method, status, text }: SeenAnswer): DescribedAnswer | 'empty' | undefined {
  const { MalformedRequest, MethodNotAllowed, NotFound } = DOCUMENT.components.responses;
  if (status === 400 && text.includes('"request":')) return MalformedRequest;
  const item: PathItem | undefined = ITEMS.find(({ pattern }) => pattern.test(path))?.item;
  if (!item || !isDecodable(path)) return status === 404 ? NotFound : undefined;
  const operation = item[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (operation) return operation.responses[status];
  if (method === 'OPTIONS') return status === 204 ? 'empty' : undefined;
  return status === 405 ? MethodNotAllowed : undefined;
}

function emptyAnswer({ headers, text }: SeenAnswer): string[] {
  return 'allow' in headers && text === '' ? [] : ['an answer to OPTIONS has Allow and nothing else'];
}

function compare(described: DescribedAnswer | undefined, path: string, answer: SeenAnswer): string[] {
  if (!described) return ['the document has no such answer'];
  const problems = headerProblems(described, answer);
  if (answer.method === 'HEAD') return problems;
  const content = described.content!['application/json'];
  if (answer.headers['content-type'] !== 'application/json; charset=utf-8')
    return [...problems, `content type ${String(answer.headers['content-type'])}`];
  const body = JSON.parse(answer.text) as Record<string, unknown>;
  problems.push(...violationsOf(content.schema, body));
  if ('success' in body && body['success'] !== answer.status < 400) problems.push('success says the opposite');
  if (content.examples) {
    const code = String(answer.headers['x-error-code']);
    const texts = Object.entries(content.examples).filter(([name]) => name.split(' ')[0] === code);
    if (!texts.some(([, { value }]) => value.error === body['error'])) problems.push(`not the text of ${code}`);
  }
  if (answer.variant !== undefined && /^\/api\/chain\/delegate-resource$/i.test(path)) {
    if ('cost' in body !== (answer.variant === 'B')) problems.push(`cost in variant ${answer.variant}`);
  }
  return problems;
}

function headerProblems({ headers: described = {} }: DescribedAnswer, { headers }: SeenAnswer): string[] {
  const problems: string[] = [];
  const names = new Set<string>();
  for (const [name, { required, schema }] of Object.entries(described)) {
    const key = name.toLowerCase();
    names.add(key);
    const value = headers[key];
    if (value === undefined) {
      if (required) problems.push(`no ${name}`);
      continue;
    }
    const read = schema.type === 'integer' ? Number(value) : value;
    problems.push(...violationsOf(schema, read).map((problem) => `${name}: ${JSON.stringify(value)}${problem}`));
  }
  const unknown = Object.keys(headers).filter((name) => OUR_HEADER.test(name) && !names.has(name));
  return [...problems, ...unknown.map((name) => `${name} is not described`)];
}

/** What the document does not say of this webhook, or says otherwise. */
export function undocumentedEvent(text: string, headers: Readonly<Record<string, unknown>>): string[] {
  const event = JSON.parse(text) as { readonly type: string };
  const described = DOCUMENT.webhooks[event.type]?.post;
  if (!described) return [`the document has no webhook ${event.type}`];
  const problems = violationsOf(described.requestBody.content['application/json'].schema, event);
  for (const { name, schema } of described.parameters)
    problems.push(...violationsOf(schema, headers[name]).map((problem) => `${name}${problem}`));
  return problems.map((problem) => `webhook ${event.type}: ${problem}\n    ${text.slice(0, 500)}`);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
