import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type SeenAnswer, undocumented } from './answer-check';

let found = new Set<string>();

/** Keeps what the document lacks, for `check-answers.setup.ts` to fail the test with. */
export function checkAnswer(answer: SeenAnswer): void {
  for (const problem of undocumented(answer)) found.add(problem);
}

export function takeUndocumented(): string[] {
  const problems = [...found];
  found = new Set();
  return problems;
}

/** Every answer of this server is compared with the document, before its last byte leaves. */
export function checkAnswersOf(server: Server, variant: string): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    const write = response.write.bind(response) as (...given: unknown[]) => boolean;
    const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
    const keep = (chunk: unknown) => {
      if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
      else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    };
    response.write = (...given: unknown[]) => {
      keep(given[0]);
      return write(...given);
    };
    response.end = (...given: unknown[]) => {
      keep(given[0]);
      const { originalUrl, url, method } = request as IncomingMessage & { originalUrl?: string };
      checkAnswer({
        method: method!,
        url: originalUrl ?? url!,
        status: response.statusCode,
        headers: response.getHeaders(),
        text: Buffer.concat(chunks).toString(),
        variant,
      });
      return end(...given);
    };
  });
  checkRawAnswersOf(server);
}

/** Those that are written to the socket itself, where Node gives no request. They may answer anything, so no route is looked for. */
export function checkRawAnswersOf(server: Server): void {
  const watch = (socket: Duplex) => {
    const end = socket.end.bind(socket) as (...given: unknown[]) => Duplex;
    socket.end = ((...given: unknown[]) => {
      if (typeof given[0] === 'string') checkRaw(given[0]);
      return end(...given);
    }) as typeof socket.end;
  };
  server.prependListener('clientError', (_error: Error, socket: Duplex) => watch(socket));
  server.prependListener('connect', (_request: IncomingMessage, socket: Duplex) => watch(socket));
}

function checkRaw(answer: string): void {
  const [head = '', text = ''] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name.toLowerCase(), value.join(': ')];
    }),
  );
  checkAnswer({ method: 'GET', url: '/api/anything', status: Number(statusLine.split(' ')[1]), headers, text });
}
