import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ChainHttp } from './chain-http';

/** How it refuses: as gateways do with 429, as one does that suspends a key, and as java-tron itself. */
const REFUSALS = {
  '429': (response: ServerResponse) => response.writeHead(429, { 'retry-after': '1' }).end('Too Many Requests'),
  '403': (response: ServerResponse) =>
    response
      .writeHead(403, { 'content-type': 'application/json' })
      .end('{"Error":"The key exceeds the frequency limit(15), and the query server is suspended for 2s"}'),
  '200': (response: ServerResponse) =>
    response.end('{"Error":"class java.lang.IllegalAccessException : lack of computing resources"}'),
};
export type GatewayRefusal = keyof typeof REFUSALS;

/** A public gateway before a node: calls beyond so many in any second are refused, and count nevertheless. */
export class Gateway {
  /** Time of each call, refused or not, on a monotonic clock. */
  readonly arrivalsMs: number[] = [];
  readonly refused: string[] = [];
  private readonly onward = new ChainHttp(40);
  private readonly server: Server;

  constructor(
    private readonly target: string,
    private readonly perSecond: number,
    private readonly refusal: GatewayRefusal = '429',
  ) {
    this.server = createServer((request, response) => {
      const isOver = this.isOver();
      void this.answer(request, response, isOver).catch(() => response.destroy());
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

  /** The most calls in any second so far. */
  get busiestSecond(): number {
    let [most, first] = [0, 0];
    for (const [at, arrivedMs] of this.arrivalsMs.entries()) {
      while (this.arrivalsMs[first]! <= arrivedMs - 1_000) first++;
      most = Math.max(most, at - first + 1);
    }
    return most;
  }

  private async answer(request: IncomingMessage, response: ServerResponse, isOver: boolean): Promise<void> {
    const body = await text(request);
    if (isOver) {
      this.refused.push(request.url!);
      REFUSALS[this.refusal](response);
      return;
    }
    const answer = await this.onward.post(`${this.target}${request.url}`, body);
    if (answer.isCut) return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  }

  private isOver(): boolean {
    const nowMs = performance.now();
    const before = this.arrivalsMs.at(-this.perSecond);
    this.arrivalsMs.push(nowMs);
    return before !== undefined && before > nowMs - 1_000;
  }
}
