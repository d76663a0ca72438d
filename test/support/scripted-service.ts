import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Scripted {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers as it is told to, for what the service itself does only when something in front of it is broken. */
export class ScriptedService {
  readonly received: Received[] = [];
  /** One for each call; the last one stays. `cut`: the line is cut. `hang`: no answer ever comes. */
  answers: (Scripted | 'cut' | 'hang')[] = [];
  url = '';
  private readonly server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      this.received.push({ method: request.method!, url: request.url!, headers: request.headers, body });
      const answer = this.answers.length > 1 ? this.answers.shift()! : this.answers[0]!;
      if (answer === 'hang') return;
      if (answer === 'cut') {
        request.socket.destroy();
        return;
      }
      const content = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(content);
    });
  });

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
