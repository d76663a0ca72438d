import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly id: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> };
}

/** What a path answers with; none: it says nothing and keeps the connection open. */
export type Answering = (response: ServerResponse, received: Received) => void;

/** A user's own server, on loopback: keeps what it is sent, by path, and answers 204 unless a path is told otherwise. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  private readonly answers = new Map<string, Answering>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.take(request, response));
  }

  static async open(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  answer(path: string, answering: Answering): void {
    this.answers.set(path, answering);
  }

  answerStatus(path: string, status: number, headers: Record<string, string> = {}): void {
    this.answer(path, (response) => response.writeHead(status, headers).end('the answer of a receiver'));
  }

  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text) as Received['body'];
    const { url: path, headers } = request;
    const one: Received = { path: path!, id: String(headers['webhook-id']), headers, text, body };
    this.received.push(one);
    const answering = this.answers.get(path!) ?? ((with204) => with204.writeHead(204).end());
    answering(response, one);
  }
}
