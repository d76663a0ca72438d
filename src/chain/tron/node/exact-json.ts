import { nextTurn } from '../../../common/concurrency/next-turn';
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-bytes';

/** So much is parsed at once: some tens of milliseconds at the worst. */
const PIECE_BYTES = 256 * 1024;

/**
 * As JSON.parse, but int64 values that a double cannot hold exactly become bigint, and a long text is parsed in pieces, so that orders,
 * blocks and health checks have their turns in between.
 * @param hasLongNumber whether there may be such values: to look for them takes several times as long
 * @throws SyntaxError
 */
export async function parseExact(bytes: Buffer, hasLongNumber: boolean): Promise<unknown> {
  const text = trimmed(bytes);
  if (text.length <= PIECE_BYTES) return parse(text.toString('utf8'), hasLongNumber);
  const ends = [text.at(0), text.at(-1)];
  const inner = text.subarray(1, -1);
  if (ends[0] === OPEN_LIST && ends[1] === CLOSE_LIST) return parseList(inner, hasLongNumber);
  if (ends[0] === OPEN_OBJECT && ends[1] === CLOSE_OBJECT) return parseObject(inner, hasLongNumber);
  return parse(text.toString('utf8'), hasLongNumber);
}

async function parseList(inner: Buffer, hasLongNumber: boolean): Promise<unknown[]> {
  const list: unknown[] = [];
  for (const piece of piecesOf(inner)) {
    await nextTurn();
    if (isSingle(piece)) list.push(await parseExact(piece, hasLongNumber));
    else for (const entry of parse(`[${piece.toString('utf8')}]`, hasLongNumber) as unknown[]) list.push(entry);
  }
  return list;
}

async function parseObject(inner: Buffer, hasLongNumber: boolean): Promise<Record<string, unknown>> {
  // Without a prototype, as no member's name means anything then.
  const object = Object.create(null) as Record<string, unknown>;
  for (const piece of piecesOf(inner)) {
    await nextTurn();
    if (isSingle(piece)) {
      const colon = piece.indexOf(COLON, textEnd(piece, piece.indexOf(QUOTE)));
      const name = parse(piece.toString('utf8', 0, Math.max(0, colon)), false);
      if (typeof name !== 'string') throw new SyntaxError('a member has no name');
      object[name] = await parseExact(piece.subarray(colon + 1), hasLongNumber);
    } else Object.assign(object, parse(`{${piece.toString('utf8')}}`, hasLongNumber));
  }
  return object;
}

/** Too long to have been put together with another. */
function isSingle(piece: Buffer): boolean {
  return piece.length > PIECE_BYTES;
}

/** What stands between the brackets, cut at commas: longer ones are of one member or entry each. */
function* piecesOf(inner: Buffer): Generator<Buffer> {
  let [begin, comma, depth] = [0, -1, 0];
  for (let at = 0; at <= inner.length; at++) {
    const byte = at === inner.length ? COMMA : inner[at];
    if (byte === QUOTE) at = textEnd(inner, at) - 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    if (depth < 0) throw new SyntaxError('a bracket is closed that was not opened');
    if (byte !== COMMA || depth > 0) continue;
    if (at - begin > PIECE_BYTES && comma >= begin) {
      yield filled(inner.subarray(begin, comma));
      begin = comma + 1;
    }
    if (at - begin > PIECE_BYTES) {
      yield inner.subarray(begin, at);
      begin = at + 1;
    }
    comma = at;
  }
  if (depth > 0) throw new SyntaxError('a bracket is not closed');
  if (begin <= inner.length) yield filled(inner.subarray(begin));
}

/** Between two commas there has to be something; what it is, parsing shows. */
function filled(piece: Buffer): Buffer {
  if (trimmed(piece).length === 0) throw new SyntaxError('a comma has no value before or after it');
  return piece;
}

/** The place after the closing quote of the text that begins here. */
function textEnd(bytes: Buffer, begin: number): number {
  for (let quote = bytes.indexOf(QUOTE, begin + 1); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let slashes = 0;
    while (bytes[quote - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  return bytes.length;
}

function trimmed(bytes: Buffer): Buffer {
  let [begin, end] = [0, bytes.length];
  while (begin < end && isBlank(bytes[begin]!)) begin++;
  while (end > begin && isBlank(bytes[end - 1]!)) end--;
  return bytes.subarray(begin, end);
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function parse(text: string, hasLongNumber: boolean): unknown {
  return hasLongNumber ? JSON.parse(text, keepInt64) : JSON.parse(text);
}

function keepInt64(_key: string, value: unknown, context?: { source?: string }): unknown {
  const inexact = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '');
  return inexact ? BigInt(context!.source!) : value;
}
