/** A JSON document as PHP sees it: an int is a `bigint`, a float a `number`; objects and lists are both arrays there. */
export type PhpValue = null | boolean | bigint | number | string | PhpValue[] | { [key: string]: PhpValue };

/** PHP's depth of 512 counts the scalar too: the 512th bracket is refused, with nothing in it as well. */
const MAX_DEPTH = 511;
const INT_SOURCE = /^-?\d{1,19}$/;
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/gs;

// JSON has no byte order mark: `ignoreBOM` keeps it in the text, where the parser refuses it.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type ReviverWithSource = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: ReviverWithSource) => PhpValue;

/** As PHP's `json_decode`; undefined for what that refuses. */
export function decodePhpJson(bytes: Uint8Array): PhpValue | undefined {
  try {
    const text = UTF8.decode(bytes);
    // First of all as JSON: the looks that follow are cheap and safe on well-formed text only.
    JSON.parse(text);
    if (!isAcceptableToPhp(text)) return undefined;
    return parse(text, (_key, value, { source }) => (typeof value === 'number' ? toPhpNumber(value, source!) : value));
  } catch {
    return undefined;
  }
}

/** JavaScript forgets that `1.0` was no integer, and rounds what PHP keeps in 64 bits. */
function toPhpNumber(value: number, source: string): bigint | number {
  if (!INT_SOURCE.test(source)) return value;
  const int = BigInt(source);
  return BigInt.asIntN(64, int) === int ? int : value;
}

/** What JSON allows and PHP refuses: deep nesting, and escapes that leave half a surrogate pair, even under a key given twice. */
function isAcceptableToPhp(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '[' || token === '{') {
      if (++depth > MAX_DEPTH) return false;
    } else if (token === ']' || token === '}') {
      depth--;
    } else if (token.includes('\\u') && !(JSON.parse(token) as string).isWellFormed()) {
      return false;
    }
  }
  return true;
}
