/** Under which chats and gateways write whether they took a message; compared in small letters. */
const CODES = ['errcode', 'error_code', 'errorcode', 'statuscode', 'retcode', 'code'];
const FLAGS = ['ok', 'success'];
const WORDS = ['status', 'result'];
const FAILED = /^(?:error|fail|failed|failure)$/i;

/** `taken` and `refused` were said; nothing was: `silent`. */
export type Judgement = { readonly kind: 'taken' | 'silent' } | { readonly kind: 'refused'; readonly code: string };

/** What a body says beside a status of success: many chats answer 200 whatever they think of the message. */
export function judgeAnswer(body: string): Judgement {
  const fields = fieldsIn(body);
  const codes = CODES.flatMap((name) => numberOf(fields.get(name)) ?? []);
  const wrong = codes.find((code) => !isSuccess(code));
  if (wrong !== undefined) return { kind: 'refused', code: `code ${wrong}` };
  if (FLAGS.some((name) => fields.get(name) === false)) return { kind: 'refused', code: 'not ok' };
  if (WORDS.some((name) => FAILED.test(String(fields.get(name))))) return { kind: 'refused', code: 'not ok' };
  const hasError = Boolean(fields.get('error')) && !FLAGS.some((name) => fields.get(name) === true);
  if (hasError) return { kind: 'refused', code: 'not ok' };
  return { kind: codes.length > 0 || FLAGS.some((name) => fields.get(name) === true) ? 'taken' : 'silent' };
}

/** 0, and what HTTP calls a success: services of one's own repeat the status there. */
function isSuccess(code: number): boolean {
  return code === 0 || (code >= 200 && code < 300);
}

function numberOf(value: unknown): number | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d{1,15}$/.test(value));
  return isNumber ? Number(value) : undefined;
}

function fieldsIn(body: string): Map<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map();
    return new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]));
  } catch {
    return new Map();
  }
}
