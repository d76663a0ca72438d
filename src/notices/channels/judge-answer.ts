/** Under which chats and gateways write whether they took a message; compared in small letters. */
const CODES = ['errcode', 'error_code', 'errorcode', 'statuscode', 'retcode', 'code', 'ret', 'errno'];
const FLAGS = ['ok', 'success', 'result'];
const WORDS = ['status', 'result'];
/** Where some write it one level deeper. */
const INNER = ['data', 'meta'];
const FAILED = /^(?:error|fail|failed|failure|invalid\w*)$/i;
/** A word in the place of a code. */
const FINE = /^(?:ok|success|succeeded|none|)$/i;
const NO_ERROR = /^(?:none|null|no|false|ok|0|)$/i;
/** For an answer in plain text: Slack's `no_text`, and Teams, which writes the status that its own call got. */
const FAILED_TEXT = /^no_\w+$|\b(?:failed|failure|error|invalid\w*)\b/i;

/** `taken` and `refused` were said; nothing was: `silent`. */
export type Judgement = { readonly kind: 'taken' | 'silent' } | { readonly kind: 'refused'; readonly code: string };

/** What a body says beside a status of success: many chats answer 200 whatever they think of the message. */
export function judgeAnswer(body: string): Judgement {
  const text = body.replace(/^\ufeff/, '').trim();
  const fields = fieldsIn(text);
  if (fields === null) return FAILED_TEXT.test(text) ? { kind: 'refused', code: 'not ok' } : { kind: 'silent' };
  const within = INNER.map((name) => judgeFields(fieldsOf(fields.get(name))));
  return within.find(({ kind }) => kind === 'refused') ?? judgeFields(fields);
}

function judgeFields(fields: ReadonlyMap<string, unknown>): Judgement {
  const codes = CODES.flatMap((name) => numberOf(fields.get(name)) ?? []);
  const status = numberOf(fields.get('status'));
  const wrong = codes.find((code) => !isSuccess(code)) ?? (status !== undefined && status >= 400 ? status : undefined);
  if (wrong !== undefined) return { kind: 'refused', code: `code ${wrong}` };
  const flags = FLAGS.map((name) => flagOf(fields.get(name)));
  const isTaken = flags.includes(true);
  const failures = [
    flags.includes(false),
    WORDS.some((name) => FAILED.test(String(fields.get(name)))),
    CODES.some((name) => isWrongWord(fields.get(name))),
    !isTaken && isError(fields.get('error')),
    isError(fields.get('errors')),
  ];
  if (failures.includes(true)) return { kind: 'refused', code: 'not ok' };
  return { kind: codes.length > 0 || isTaken ? 'taken' : 'silent' };
}

function flagOf(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 'true' || word === 'yes') return true;
  return word === false || word === 'false' || word === 'no' || word === 0 ? false : undefined;
}

function isWrongWord(value: unknown): boolean {
  return typeof value === 'string' && numberOf(value) === undefined && !FINE.test(value.trim());
}

function isError(value: unknown): boolean {
  if (typeof value === 'string') return !NO_ERROR.test(value.trim());
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

/** 0, and what HTTP calls a success: services of one's own repeat the status there. */
function isSuccess(code: number): boolean {
  return code === 0 || (code >= 200 && code < 300);
}

function numberOf(value: unknown): number | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d{1,15}$/.test(value));
  return isNumber ? Number(value) : undefined;
}

/** Null where it is not JSON. */
function fieldsIn(text: string): Map<string, unknown> | null {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return text.startsWith('{') ? new Map() : null;
  }
}

/** By their names in small letters. */
function fieldsOf(value: unknown): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map();
  return new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]));
}
