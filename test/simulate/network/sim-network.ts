import type { Kernel } from '../kernel/kernel';
import type { Reply, SimRequest } from './http-edge';

/** A server's answer to a call; null: none, ever. `code`: the connection fails with it. */
export type Served = Reply | { readonly code: string } | null;

export interface Server {
  readonly slowByMs?: number;
  /** Called when the call leaves the instance. Null: it goes through; else what happens to it on the way. */
  sent?(call: SimRequest, body: string): Promise<'refused' | 'lost' | 'dead' | null>;
  serve(call: SimRequest, body: string): Promise<Served>;
  /** Called when the answer is on its way. */
  answered?(call: SimRequest): void;
}

let network: SimNetwork | null = null;

function enterNetwork(entered: SimNetwork): void {
  network = entered;
}

export function currentNetwork(): SimNetwork {
  return network!;
}

/** Between instances and everything that they call. */
export class SimNetwork {
  readonly servers = new Map<string, Server>();

  constructor(
    private readonly kernel: Kernel,
    private readonly isPrompt = false,
  ) {}

  /** From now on the calls of instances go through here. */
  enter(): this {
    enterNetwork(this);
    return this;
  }

  private latencyMs(): number {
    const { schedule } = this.kernel;
    return !this.isPrompt && schedule.chance(0.02) ? schedule.between(200, 1_500) : schedule.between(1, 60);
  }

  send(call: SimRequest, body: string): void {
    const { host, pathname } = call.url;
    const server = this.servers.get(host);
    const name = `${call.process.name} ${host}${pathname}`;
    if (!server) throw new Error(`nothing serves ${host}`);
    // What has left the instance is looked at before anything else can happen.
    this.kernel.after(0, null, async () => {
      const fate = await server.sent?.(call, body);
      if (fate) this.kernel.log(`${name} ${fate}`);
      // Else no server answers, not even to refuse the connection.
      if (fate !== 'lost' && fate !== 'refused') call.socket.emit('connect');
      if (fate === 'refused') {
        const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
        this.kernel.after(this.latencyMs(), call.process, () => call.destroy(error));
      }
      if (fate) return;
      this.kernel.after(this.latencyMs(), null, async () => {
        const served = await server.serve(call, body);
        this.kernel.log(`${name} ${served === null ? 'silent' : 'code' in served ? served.code : served.status}`);
        if (served === null) return;
        server.answered?.(call);
        this.kernel.after(this.latencyMs() + (server.slowByMs ?? 0), call.process, () => {
          if ('code' in served) call.destroy(Object.assign(new Error(served.code), { code: served.code }));
          else call.answer(served);
        });
      });
    });
  }
}
