import { Agent as HttpAgent, request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type RateRefusal, readRateRefusal } from './rate-refusal';

/**
 * The result of one HTTP call. `undelivered`: the node never got it, so it may be sent elsewhere; `unknown`: it may have been carried out
 * although no usable answer came back; `limited`: there were too many calls, and this one may be made later.
 */
export type HttpReply =
  | { readonly kind: 'json'; readonly value: unknown }
  /** `neverAsked`: the call got no connection, which is no fault of the node by itself. */
  | { readonly kind: 'undelivered'; readonly reason: string; readonly neverAsked?: true }
  | { readonly kind: 'unknown'; readonly reason: string }
  | RateRefusal;

/** Not of a call that got no turn, nor of one that the node refused for the number of calls: nothing is wrong with the node then. */
export function isFault(reply: HttpReply): boolean {
  return reply.kind !== 'limited' && !(reply.kind === 'undelivered' && reply.neverAsked === true);
}

/** Node's fetch takes more than twice the processor time of these. */
const REQUESTS = { 'http:': requestHttp, 'https:': requestHttps };

/** Idle connections count at the node too, and other processes may wait for one: after a burst, only a few are kept. */
const MOST_IDLE = 10;

/** At most so many per host and port, idle ones included. Idle ones are closed before the node closes them, perhaps in the middle of a call. */
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

/** Called as the call progresses. */
export interface CallWatch {
  sending(): void;
  /** All bytes are with the socket. */
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
    const limited = readRateRefusal(answer.status, answer.headers, text);
    if (limited) return limited;
    // A redirection is a fault: only the configured node may answer.
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

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The whole answer within the time-out; else it throws and closes the connection. */
function post(
  url: URL,
  body: string,
  apiKey: string | undefined,
  timeoutMs: number,
  connections: KeptConnections,
  watch?: CallWatch,
): Promise<Answer> {
  const protocol = url.protocol as keyof KeptConnections;
  const [request, agent] = [REQUESTS[protocol], connections[protocol]];
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'accept-encoding': 'gzip',
    ...(apiKey ? { 'TRON-PRO-API-KEY': apiKey } : {}),
  };
  let timer: NodeJS.Timeout;
  return new Promise<Answer>((resolve, reject) => {
    let answered = false;
    const call = request(url, { method: 'POST', headers, agent }, (response) => {
      answered = true;
      textOf(response).then(
        (text) => resolve({ status: response.statusCode!, headers: response.headers, text }),
        reject,
      );
    });
    // Timers run before sockets are read: a process that stood still for so long looks first for an answer that lies there.
    timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
    const giveUp = () => {
      const connected = call.socket && !call.socket.connecting;
      call.destroy(new Error(connected ? 'time-out' : 'connect time-out'));
    };
    call.once('error', reject);
    // The socket has all of it; whether the node does, nobody knows yet.
    if (watch) call.once('finish', () => watch.delivered());
    // A protocol upgrade fires neither a response nor an error.
    call.once('close', () => !answered && reject(new Error('closed without an answer')));
    call.end(body);
  }).finally(() => clearTimeout(timer));
}

/** @throws when the connection breaks before the end, or the answer is too long */
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

/** int64 values that a double cannot hold exactly become bigint; everything else is parsed as usual. */
function keepInt64(_key: string, value: unknown, context?: { source?: string }): unknown {
  const inexact = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '');
  return inexact ? BigInt(context!.source!) : value;
}
