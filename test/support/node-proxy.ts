import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ChainHttp } from './chain-http';

export interface NodeCall {
  /** `wallet/getaccount` */
  readonly route: string;
  readonly body: Record<string, unknown>;
}

/** A block's JSON with an id that this chain's genesis block does not have. */
export function ofAnotherChain(genesisBlock: string): string {
  return genesisBlock.replace(/("blockID":\s*")[0-9a-f]{8}/, '$1ffffffff');
}

interface Forwarded {
  readonly status: number;
  readonly type?: string;
  readonly body: string | Buffer;
  readonly ends?: 'never' | 'in the middle';
}

/** Stands between the service and its node: counts, looks on, or holds calls back. */
export class NodeProxy {
  readonly calls: NodeCall[] = [];
  /** Awaited before a call goes on to the node; throwing cuts the connection. */
  before: (call: NodeCall) => Promise<void> | void = () => undefined;
  /** Answered here, and not passed on; bytes are sent as gzip. */
  answers: (call: NodeCall) => string | Buffer | undefined = () => undefined;
  /** Answered with this status alone, and not passed on. */
  status: (call: NodeCall) => number | undefined = () => undefined;
  /** Awaited before the node's answer goes back; may change it. */
  after: (call: NodeCall, answer: string) => Promise<string> | string = (_call, answer) => answer;
  /** True: the answer to this call begins and never ends. */
  stalls: (call: NodeCall) => boolean = () => false;
  /** By route: calls whose answer has gone out whole. */
  private readonly answersSent = new Map<string, number>();
  private port = 0;
  private readonly onward = new ChainHttp(40);
  private readonly server: Server;

  constructor(public target: string) {
    this.server = createServer((request, response) => {
      // A caller that gives up takes its connection to the node along.
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const route = request.url!.slice(1);
      response.once('finish', () => this.answersSent.set(route, this.answered(route) + 1));
      void this.forward(request, gone.signal).then(
        ({ status, body, ends, type = 'application/json' }) => {
          const longer = { 'content-length': Buffer.byteLength(body) + 1 };
          const zipped = Buffer.isBuffer(body) && { 'content-encoding': 'gzip' };
          response.writeHead(status, { 'content-type': type, ...zipped, ...(ends === 'in the middle' && longer) });
          if (ends === 'never') response.write(body.slice(0, body.length / 2));
          else if (ends === 'in the middle') response.write(body, () => response.destroy());
          else response.end(body);
        },
        () => response.destroy(),
      );
    });
  }

  async open(): Promise<string> {
    await this.listen();
    return `http://127.0.0.1:${this.port}`;
  }

  /** Cuts every connection and refuses new ones, until it listens again. */
  async refuse(): Promise<void> {
    await this.close();
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  count(route: string): number {
    return this.calls.filter((call) => call.route === route).length;
  }

  answered(route: string): number {
    return this.answersSent.get(route) ?? 0;
  }

  /** The call is read and never answered, nor is it passed on. */
  static readonly HANG = (): Promise<void> => new Promise(() => undefined);

  private async forward(request: IncomingMessage, gone: AbortSignal): Promise<Forwarded> {
    const body = await text(request);
    const call = { route: request.url!.slice(1), body: JSON.parse(body || '{}') as Record<string, unknown> };
    this.calls.push(call);
    await this.before(call);
    const status = this.status(call);
    if (status !== undefined) return { status, body: '' };
    const own = this.answers(call);
    if (own !== undefined) return { status: 200, body: own };
    // What a test has held back for longer than its caller waits arrives all the same.
    const signal = gone.aborted ? undefined : gone;
    const answer = await this.onward.post(`${this.target}${request.url}`, body, signal);
    const { status: of, type, isCut } = answer;
    if (isCut) return { status: of, type, body: answer.body, ends: 'in the middle' };
    const whole = { status: of, type, body: await this.after(call, answer.body) };
    return this.stalls(call) ? { ...whole, ends: 'never' } : whole;
  }
}
