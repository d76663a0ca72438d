import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Stands between a caller and the service, and cuts the line where an answer of the service should go back. */
export class LossyLine {
  /** How many answers are still to be lost. Their calls have reached the service. */
  lose = 0;
  /** The `Idempotency-Key` of each order that came by. */
  readonly keys: (string | undefined)[] = [];
  private readonly server: Server;

  constructor(service: string) {
    this.server = createServer((incoming, outgoing) => {
      this.forward(service, incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  private async forward(service: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, url, headers } = incoming;
    if (method === 'POST') this.keys.push(headers['idempotency-key'] as string | undefined);
    const onward = request(`${service}${url}`, { method, headers });
    onward.end(await buffer(incoming));
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    const body = await buffer(answer);
    if (method === 'POST' && this.lose > 0) {
      this.lose -= 1;
      outgoing.destroy();
      return;
    }
    outgoing.writeHead(answer.statusCode!, answer.headers).end(body);
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
