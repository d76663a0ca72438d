import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/**
 * What became of one HTTP call. `undelivered`: the node never got it, so sending it elsewhere cannot double anything;
 * `unknown`: it may have been carried out although no usable answer came back.
 */
export type HttpReply =
  | { readonly kind: 'json'; readonly value: unknown }
  /** `neverAsked`: no connection came free for the call, which says nothing of the node that its other calls do not. */
  | { readonly kind: 'undelivered'; readonly reason: string; readonly neverAsked?: true }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Node's own fetch costs more than twice the processor time of these. */
const REQUESTS = { 'http:': requestHttp, 'https:': requestHttps };

/** An idle connection keeps its place at the node, which other processes may wait for: a few outlast a burst, the others are closed. */
const MOST_IDLE = 10;

/** At most so many to each host and port, idle ones included. Those are closed before a node would do it, at the very moment of a call. */
export function keptConnections(most = Infinity) {
  const kept = { keepAlive: true, timeout: 4_000, maxSockets: most, maxFreeSockets: MOST_IDLE };
  return { 'http:': new HttpAgent(kept), 'https:': new HttpsAgent(kept) };
}
export type KeptConnections = ReturnType<typeof keptConnections>;
const UNCOUNTED = keptConnections();

/** Twenty full blocks of a busy network are several megabytes. */
const MOST_BYTES = 64 * 1024 * 1024;
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
  connections: KeptConnections = UNCOUNTED,
): Promise<HttpReply> {
  let text: string;
  watch?.sending();
  try {
    const answer = await post(new URL(url), JSON.stringify(body), apiKey, timeoutMs, connections, watch);
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
  connections: KeptConnections,
  watch?: CallWatch,
): Promise<{ status: number; text: string }> {
  const protocol = url.protocol as keyof KeptConnections;
  const [request, agent] = [REQUESTS[protocol], connections[protocol]];
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'accept-encoding': 'gzip',
    ...(apiKey ? { 'TRON-PRO-API-KEY': apiKey } : {}),
  };
  let timer: NodeJS.Timeout;
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    let answered = false;
    const call = request(url, { method: 'POST', headers, agent }, (response) => {
      answered = true;
      watch?.delivered();
      textOf(response).then((text) => resolve({ status: response.statusCode!, text }), reject);
    });
    timer = setTimeout(() => {
      const connected = call.socket && !call.socket.connecting;
      call.destroy(new Error(connected ? 'time-out' : 'connect time-out'));
    }, timeoutMs);
    call.once('error', reject);
    // An upgrade to another protocol is neither an answer nor an error.
    call.once('close', () => !answered && reject(new Error('closed without an answer')));
    call.end(body);
  }).finally(() => clearTimeout(timer));
}

/** @throws when the connection breaks before the end, or there is no end in sight */
function textOf(response: IncomingMessage): Promise<string> {
  const zipped = ['gzip', 'x-gzip'].includes(response.headers['content-encoding']?.toLowerCase() ?? '');
  return zipped ? pipeline(response, createGunzip(), collect) : collect(response);
}

async function collect(source: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseExact(text: string): unknown {
  return /\d{16}/.test(text) ? JSON.parse(text, keepInt64) : JSON.parse(text);
}

/** int64 values beyond a double's exact range come back as bigint, everything else as usual. */
function keepInt64(_key: string, value: unknown, context?: { source?: string }): unknown {
  const inexact = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '');
  return inexact ? BigInt(context!.source!) : value;
}
