import { NoSignerAnswerError } from './signer-connection';

/** The signer shows no other text of a key. */
const SIGNS_AS = /^signs as (T[1-9A-HJ-NP-Za-km-z]{33})$/;
const TX_ID = /^[0-9a-f]{64}$/;
const SIGNATURE = /^[0-9a-f]{130}$/;
const LONGEST_TEXT = 200;

export type SignerResult =
  | { readonly kind: 'signed'; readonly signature: string }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

export type SignerKeyState =
  | { readonly kind: 'good'; readonly address: string }
  | { readonly kind: 'faulty'; readonly reason: string };

/** `POST /v1/sign`: a result for each request. @throws NoSignerAnswerError */
export function readResults(answer: unknown, count: number): SignerResult[] {
  const { results } = objectOf(answer);
  if (!Array.isArray(results) || results.length !== count)
    throw new NoSignerAnswerError('its answer has not a result for each request');
  return results.map((one) => {
    const { txid, signature, error, message } = objectOf(one);
    if (isText(txid, TX_ID) && isText(signature, SIGNATURE)) return { kind: 'signed', signature };
    if (typeof error !== 'string') throw new NoSignerAnswerError('a result has neither a signature nor an error');
    return { kind: 'refused', code: shown(error), message: shown(message) };
  });
}

/** `GET /v1/health`: each key by its id. @throws NoSignerAnswerError */
export function readHealth(answer: unknown): ReadonlyMap<string, SignerKeyState> {
  const { keys } = objectOf(answer);
  if (!Array.isArray(keys)) throw new NoSignerAnswerError('its answer has no list of keys');
  return new Map(
    keys.map((one) => {
      const { id, ok, message } = objectOf(one);
      const [, address] = SIGNS_AS.exec(String(message)) ?? [];
      const isGood = ok === true && address !== undefined;
      return [String(id), isGood ? { kind: 'good', address } : { kind: 'faulty', reason: shown(message) }] as const;
    }),
  );
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new NoSignerAnswerError('its answer is of another form');
}

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}

/** It comes into the log and the panel: one line, and not a long one. */
function shown(text: unknown): string {
  return typeof text === 'string' ? text.replaceAll(/\p{C}+/gu, ' ').slice(0, LONGEST_TEXT) : 'no reason given';
}
