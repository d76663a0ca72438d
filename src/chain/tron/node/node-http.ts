import { Agent as HttpAgent, request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { boundOf } from './answer-bounds';
import { AnswerScan } from './answer-scan';
import { parseExact } from './exact-json';
import { type RateRefusal, readRateRefusal } from './rate-refusal';

/**
 * The result of one HTTP call. `undelivered`: the node never got it, so it may be sent elsewhere; `unknown`: it may have been carried out
 * although no usable answer came back; `limited`: there were too many calls, and this one may be made later.
 */
export type HttpReply =
  | { readonly kind: 'json'; readonly value: unknown }
  /** `neverAsked`: the call got no connection, which alone does not count against the node. */
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
  const target = new URL(url);
  const scan = new AnswerScan(boundOf(target.pathname.split('/').at(-1)!, body));
  watch?.sending();
  const answer = await post(target, JSON.stringify(body), apiKey, timeoutMs, connections, scan, watch);
  if ('kind' in answer) return answer;
  watch?.read();
  const { status, headers, bytes } = answer;
  const limited = readRateRefusal(status, headers, bytes);
  if (limited) return limited;
  // A redirection is a fault: only the configured node may answer.
  if (status < 200 || status > 299) return { kind: 'unknown', reason: `HTTP ${status}` };
  try {
    return { kind: 'json', value: await parseExact(bytes, scan.hasLongNumber) };
  } catch {
    return { kind: 'unknown', reason: 'the answer is not JSON' };
  }
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** The whole answer within the time-out and the bound; else it closes the connection, and never throws. */
async function post(
  url: URL,
  body: string,
  apiKey: string | undefined,
  timeoutMs: number,
  connections: KeptConnections,
  scan: AnswerScan,
  watch?: CallWatch,
): Promise<Answer | HttpReply> {
  const protocol = url.protocol as keyof KeptConnections;
  const [request, agent] = [REQUESTS[protocol], connections[protocol]];
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'accept-encoding': 'gzip',
    ...(apiKey ? { 'TRON-PRO-API-KEY': apiKey } : {}),
  };
  let timer: NodeJS.Timeout | undefined;
  let isOpen = false;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      let answered = false;
      const call = request(url, { method: 'POST', headers, agent }, (response) => {
        answered = true;
        bytesOf(response, scan, fail).then(
          (bytes) => resolve({ status: response.statusCode!, headers: response.headers, bytes }),
          fail,
        );
      });
      call.once('socket', (socket) => whenOpen(socket, protocol, () => (isOpen = true)));
      // Timers run before sockets are read: a process that stood still for so long looks first for an answer that lies there.
      timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
      // If the whole response has arrived, destroying the call emits no error: `fail` has to reject by itself.
      const giveUp = () => fail(new Error(isOpen ? 'time-out' : 'connect time-out'));
      const fail = (error: Error) => {
        call.destroy(error);
        reject(error);
      };
      call.once('error', reject);
      // The socket has all of it; whether the node has it is not known yet.
      if (watch) call.once('finish', () => watch.delivered());
      // A protocol upgrade fires neither a response nor an error.
      call.once('close', () => !answered && reject(new Error('closed without an answer')));
      call.end(body);
    });
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { kind: isOpen ? 'unknown' : 'undelivered', reason: code ?? message };
  } finally {
    clearTimeout(timer);
  }
}

/** Connections that calls can go through: with TLS, once the node's certificate was found good. Before that, no byte of a call leaves. */
const OPEN = new WeakSet<Socket>();

function whenOpen(socket: Socket, protocol: string, open: () => void): void {
  if (OPEN.has(socket)) return open();
  socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
    OPEN.add(socket);
    open();
  });
}

/** @throws when the connection breaks before the end, or the answer is more than it may be */
function bytesOf(response: IncomingMessage, scan: AnswerScan, fail: (error: Error) => void): Promise<Buffer> {
  const zipped = ['gzip', 'x-gzip'].includes(response.headers['content-encoding']?.toLowerCase() ?? '');
  const collect = async (source: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of source) {
        scan.take(chunk);
        chunks.push(chunk);
      }
    } catch (error) {
      // At once: a pipeline whose source has ended may never say that its end has failed.
      fail(error as Error);
      throw error;
    }
    return Buffer.concat(chunks);
  };
  return zipped ? pipeline(response, createGunzip(), collect) : collect(response);
}
