/**
 * What became of one HTTP call. `undelivered`: the node never got it, so sending it elsewhere cannot double anything;
 * `unknown`: it may have been carried out although no usable answer came back.
 */
export type HttpReply =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'undelivered'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

const UNDELIVERED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Told how far a call has come. */
export interface CallWatch {
  sending(): void;
  delivered(): void;
  read(): void;
}

/** POSTs JSON; never throws. Reasons name the fault, never headers or bodies: both can carry secrets. */
export async function postJson(
  url: string,
  body: unknown,
  apiKey: string | undefined,
  timeoutMs: number,
  watch?: CallWatch,
): Promise<HttpReply> {
  let text: string;
  watch?.sending();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey ? { 'TRON-PRO-API-KEY': apiKey } : {}) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
    watch?.delivered();
    text = await response.text();
    watch?.read();
    if (!response.ok) return { kind: 'unknown', reason: `HTTP ${response.status}` };
  } catch (error) {
    return failure(error);
  }
  try {
    return { kind: 'json', value: parseExact(text) };
  } catch {
    return { kind: 'unknown', reason: 'the answer is no JSON' };
  }
}

function failure(error: unknown): HttpReply {
  const { name, cause } = error as { name?: string; cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return { kind: 'unknown', reason: 'time-out' };
  const code = cause?.code ?? cause?.message ?? name ?? 'error';
  return { kind: UNDELIVERED.has(code) ? 'undelivered' : 'unknown', reason: code };
}

function parseExact(text: string): unknown {
  return /\d{16}/.test(text) ? JSON.parse(text, keepInt64) : JSON.parse(text);
}

/** int64 values beyond a double's exact range come back as bigint, everything else as usual. */
function keepInt64(_key: string, value: unknown, context?: { source?: string }): unknown {
  const inexact = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '');
  return inexact ? BigInt(context!.source!) : value;
}
