import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { contractRouteOf } from './contract-route';
import { errorResponse, type Failure } from './error-response';
import { Pipeline } from './pipeline';
import { assignRequestId } from './request-id';
import { readTarget } from './request-target';

/** The parser's error for bytes that are no HTTP, with the bytes. */
type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };
type Requested = IncomingMessage & { readonly originalUrl?: string };

/** Half a request has waited for too long. A 400 would tell its caller that no earlier attempt has placed the order: a closed connection says nothing. */
const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT';
const MALFORMED: Failure = { code: 'MALFORMED_BODY', details: { request: ['The request is malformed.'] } };
const REQUEST_LINE = /^[\r\n]*[A-Z-]+ +([^ \r\n]+)/i;
/** How many bytes of a broken request are searched for its target; no route of ours is longer. */
const LOOKED_THROUGH = 2048;

/** Where Node would answer by itself, before there is a request: those answers have our body too. */
export function handleClientErrors(server: Server, answersCarryCost: boolean): void {
  // Otherwise a request without Host gets Node's own empty 400.
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  // Otherwise an Expect that Node does not know gets its own empty 417.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  // Otherwise CONNECT, sent to a server taken for a proxy, is cut without an answer.
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    // Behind other requests it would be read as their answer.
    if (Pipeline.of(socket).closeAfterAnswers(socket)) return;
    socket.end(rawAnswer({ code: 'NOT_FOUND' }, '', randomUUID(), answersCarryCost), () => socket.destroy());
  });
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    const pipeline = Pipeline.of(socket);
    const isUsable = socket.writable && error.code !== 'ECONNRESET';
    // The broken bytes follow whole requests, whose answers are still due: nothing else may be read as those answers.
    if (isUsable && pipeline.closeAfterAnswers(socket)) return;
    const answer: ServerResponse<Requested> | undefined = pipeline.newest;
    if (!isUsable || error.code === TIMED_OUT || answer?.headersSent) {
      socket.destroy(error);
      return;
    }
    const url = answer ? (answer.req.originalUrl ?? answer.req.url ?? '') : urlIn(error.rawPacket);
    const requestId = answer ? assignRequestId(answer.req, answer) : randomUUID();
    socket.end(rawAnswer(MALFORMED, url, requestId, answersCarryCost), () => socket.destroy());
  });
}

/** The target of a request that could not be parsed; none when its first line came in an earlier packet. */
function urlIn(packet: Buffer | undefined): string {
  const [, target = ''] = REQUEST_LINE.exec(packet?.toString('latin1', 0, LOOKED_THROUGH) ?? '') ?? [];
  return readTarget(target).url;
}

function rawAnswer(failure: Failure, url: string, requestId: string, answersCarryCost: boolean): string {
  const { status, headers, body } = errorResponse(failure, contractRouteOf(url), answersCarryCost);
  const text = JSON.stringify(body);
  const lines = {
    ...headers,
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', text].join('\r\n');
}
