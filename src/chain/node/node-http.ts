import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';

/**
 * What became of one HTTP call. `undelivered`: the node never got it, so sending it elsewhere cannot double anything;
 * `unknown`: it may have been carried out although no usable answer came back.
 */
export type HttpReply =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'undelivered'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Kept open between calls. Node's own fetch costs more than twice the processor time of these. */
const CLIENTS = {
  'http:': { request: requestHttp, agent: new HttpAgent({ keepAlive: true }) },
  'https:': { request: requestHttps, agent: new HttpsAgent({ keepAlive: true }) },
};
const UNDELIVERED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'connect time-out',
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
    const answer = await post(new URL(url), JSON.stringify(body), apiKey, timeoutMs, watch);
    text = answer.text;
    watch?.read();
    // A redirection is a fault like any other: whoever answers is the node that was set, or nobody.
    if (answer.status < 200 || answer.status > 299) return { kind: 'unknown', reason: `HTTP ${answer.status}` };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const reason = code ?? message;
    return { kind: UNDELIVERED.has(reason) ? 'undelivered' : 'unknown', reason };
  }
  try {
    return { kind: 'json', value: parseExact(text) };
  } catch {
    return { kind: 'unknown', reason: 'the answer is no JSON' };
  }
}

/** The whole answer, in time; else it throws, and the connection is closed. */
function post(
  url: URL,
  body: string,
  apiKey: string | undefined,
  timeoutMs: number,
  watch?: CallWatch,
): Promise<{ status: number; text: string }> {
  const { request, agent } = CLIENTS[url.protocol as keyof typeof CLIENTS];
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'accept-encoding': 'gzip',
    ...(apiKey ? { 'TRON-PRO-API-KEY': apiKey } : {}),
  };
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', headers, agent }, (response) => {
      watch?.delivered();
      textOf(response).then((text) => resolve({ status: response.statusCode!, text }), reject);
    });
    const timer = setTimeout(() => {
      const connected = call.socket && !call.socket.connecting;
      call.destroy(new Error(connected ? 'time-out' : 'connect time-out'));
    }, timeoutMs);
    call.once('error', reject);
    call.once('close', () => clearTimeout(timer));
    call.end(body);
  });
}

function textOf(response: IncomingMessage): Promise<string> {
  if (response.headers['content-encoding'] !== 'gzip') return readText(response);
  const unzipped = createGunzip();
  response.once('error', (error) => unzipped.destroy(error));
  return readText(response.pipe(unzipped));
}

function parseExact(text: string): unknown {
  return /\d{16}/.test(text) ? JSON.parse(text, keepInt64) : JSON.parse(text);
}

/** int64 values beyond a double's exact range come back as bigint, everything else as usual. */
function keepInt64(_key: string, value: unknown, context?: { source?: string }): unknown {
  const inexact = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '');
  return inexact ? BigInt(context!.source!) : value;
}
