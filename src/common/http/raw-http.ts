import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerFailure, type Failure } from './failure';

/** Where Node would answer by itself, before there is a request: those answers have the envelope too. */
export function answerRawHttp(server: Server): void {
  // Otherwise a request without Host gets Node's own empty 400.
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  // Otherwise an Expect that Node does not know gets its own empty 417.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const answer = (socket as Duplex & { _httpMessage?: ServerResponse })._httpMessage;
    if (!socket.writable || answer?.headersSent || error.code === 'ECONNRESET') {
      socket.destroy(error);
      return;
    }
    if (answer?.req.complete) {
      // The nonsense came after a whole request: that one's answer is still due, and nothing may be taken for it.
      answer.shouldKeepAlive = false;
      return;
    }
    socket.end(malformedAnswer(), () => socket.destroy());
  });
}

const FAILURE: Failure = { code: 'MALFORMED_BODY', details: { request: ['The request is malformed.'] } };

function malformedAnswer(): string {
  const { status, headers, body } = answerFailure(FAILURE, 'other', false);
  const text = JSON.stringify(body);
  const lines = {
    ...headers,
    'X-Request-Id': randomUUID(),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', text].join('\r\n');
}
