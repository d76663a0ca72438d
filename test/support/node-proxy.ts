import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface NodeCall {
  /** `wallet/getaccount` */
  readonly route: string;
  readonly body: Record<string, unknown>;
}

/** Stands between the service and its node: counts, looks on, or holds calls back. */
export class NodeProxy {
  readonly calls: NodeCall[] = [];
  /** Awaited before a call goes on to the node; throwing cuts the connection. */
  before: (call: NodeCall) => Promise<void> | void = () => undefined;
  /** Awaited before the node's answer goes back; may change it. */
  after: (call: NodeCall, answer: string) => Promise<string> | string = (_call, answer) => answer;
  private readonly server: Server;

  constructor(public target: string) {
    this.server = createServer((request, response) => {
      void this.forward(request).then(
        (answer) => response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body),
        () => response.destroy(),
      );
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  count(route: string): number {
    return this.calls.filter((call) => call.route === route).length;
  }

  private async forward(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const body = await text(request);
    const call = { route: request.url!.slice(1), body: JSON.parse(body || '{}') as Record<string, unknown> };
    this.calls.push(call);
    await this.before(call);
    const answer = await fetch(`${this.target}${request.url}`, { method: 'POST', body });
    return { status: answer.status, body: await this.after(call, await answer.text()) };
  }
}
