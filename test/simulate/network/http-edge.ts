import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { SimProcess } from '../kernel/sim-process';
import { currentKernel } from '../kernel/virtual-world';
import { currentNetwork } from './sim-network';

/** What a server says. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The edge sends these in place of the body, one after the other, as long as the caller reads on. */
  readonly chunks?: Iterator<Buffer>;
  /** The connection breaks in the middle of the body. */
  readonly isCut?: boolean;
}

interface RequestOptions {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

/** As much of node's `ClientRequest` as the service's two clients use. */
export class SimRequest extends EventEmitter {
  readonly process: SimProcess;
  /** Says `connect` once the call has reached its server. */
  readonly socket = new EventEmitter();
  isOver = false;

  constructor(
    readonly url: URL,
    readonly headers: Readonly<Record<string, unknown>>,
    signal: AbortSignal | undefined,
    private readonly answered?: (response: Readable) => void,
  ) {
    super();
    const { process } = currentKernel();
    if (!process) throw new Error('a request of no instance');
    this.process = process;
    signal?.addEventListener('abort', () => this.destroy(new Error('aborted')), { once: true });
    if (signal?.aborted) soon(() => this.destroy(new Error('aborted')));
  }

  end(body: string): void {
    this.emit('socket', this.socket);
    this.emit('finish');
    currentNetwork().send(this, body);
  }

  destroy(error?: Error): this {
    if (this.isOver) return this;
    this.isOver = true;
    soon(() => {
      if (error) this.emit('error', error);
      this.emit('close');
    });
    return this;
  }

  /** @internal */
  answer({ status, headers, body, chunks, isCut = false }: Reply): void {
    if (this.isOver) return;
    this.isOver = true;
    const bytes = Buffer.from(body);
    const read = function pushNext(this: Readable) {
      const next = chunks?.next();
      if (next) this.push(next.done ? null : next.value);
    };
    const response = Object.assign(new Readable({ read }), { statusCode: status, headers });
    this.answered?.(response);
    this.emit('response', response);
    if (isCut) {
      response.push(bytes.subarray(0, Math.ceil(bytes.length / 2)));
      response.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
    } else if (!chunks) {
      response.push(bytes);
      response.push(null);
    }
    soon(() => this.emit('close'));
  }
}

const soon = (call: () => void): void => process.nextTick(call);

export function request(url: URL, options: RequestOptions, answered?: (response: Readable) => void): SimRequest {
  return new SimRequest(url, options.headers ?? {}, options.signal, answered);
}

/** Connections are the network's matter here. */
export class Agent {}
