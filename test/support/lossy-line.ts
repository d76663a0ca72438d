import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Scripted } from './scripted-service';

/** Stands between a caller and the service, and cuts the line where an answer of the service should go back. */
export class LossyLine {
  /** How many answers are still to be lost. Their calls have reached the service. */
  lose = 0;
  /** What a gateway answers in the place of the service, one for each order; `null` cuts the answer off in its body. */
  readonly instead: (Scripted | null)[] = [];
  /** What each look-up of an order is answered in the place of the service. */
  insteadOfLooks: Scripted | undefined;
  /** The `Idempotency-Key` of each order that came by. */
  readonly keys: (string | undefined)[] = [];
  /** When each of these orders came, and when an answer of a gateway went back. */
  readonly cameAtMs: number[] = [];
  readonly insteadAtMs: number[] = [];
  private readonly server: Server;

  constructor(service: string) {
    this.server = createServer((incoming, outgoing) => {
      this.forward(service, incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  private async forward(service: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, url, headers } = incoming;
    if (method === 'POST') {
      this.keys.push(headers['idempotency-key'] as string | undefined);
      this.cameAtMs.push(performance.now());
    }
    const onward = request(`${service}${url}`, { method, headers });
    onward.end(await buffer(incoming));
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    const body = await buffer(answer);
    if (method === 'POST' && this.lose > 0) {
      this.lose -= 1;
      outgoing.destroy();
      return;
    }
    const instead = method === 'POST' ? this.instead.shift() : this.insteadOfLooks;
    if (instead === null) {
      outgoing.writeHead(answer.statusCode!, { ...answer.headers, 'content-length': body.length });
      outgoing.write(body.subarray(0, 20), () => outgoing.destroy());
      return;
    }
    if (instead !== undefined) {
      if (method === 'POST') this.insteadAtMs.push(performance.now());
      const text = typeof instead.body === 'string' ? instead.body : JSON.stringify(instead.body ?? {});
      outgoing.writeHead(instead.status, { 'content-length': Buffer.byteLength(text), ...instead.headers }).end(text);
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
