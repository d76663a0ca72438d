import type { Client } from 'pg';
import type { Kernel } from '../kernel/kernel';
import type { SimRequest } from './http-edge';
import type { Served, Server } from './sim-network';
import { untruths, type WebhookEvent, wrongSignature } from './webhook-truth';

/** A user's own server, which is not always well. */
export class WebhookServer implements Server {
  /** Events by delivery. */
  readonly received = new Map<string, WebhookEvent>();
  private readonly failed = new Set<string>();

  constructor(
    private readonly kernel: Kernel,
    private readonly database: Client,
    private readonly watch: {
      readonly point: (call: SimRequest, point: 'before' | 'after') => Promise<boolean>;
      readonly violated: (what: string) => void;
    },
    private readonly isTroubled: () => boolean,
    private readonly everIncluded: ReadonlyMap<string, number>,
    /** How far the database's clock may have been off lately. */
    private readonly offMs: () => number,
  ) {}

  async sent(call: SimRequest): Promise<'refused' | 'dead' | null> {
    if (await this.watch.point(call, 'before')) return 'dead';
    const id = String(call.headers['webhook-id']);
    if (!this.isTroubled() || this.failed.has(id) || !this.kernel.schedule.chance(0.05)) return null;
    this.failed.add(id);
    return 'refused';
  }

  async serve(call: SimRequest, body: string): Promise<Served> {
    const id = String(call.headers['webhook-id']);
    const event = JSON.parse(body) as WebhookEvent;
    const wrong = wrongSignature(call, body, { nowMs: this.kernel.nowMs, offMs: this.offMs() });
    if (wrong !== null) this.watch.violated(wrong);
    const receiver = { id, at: Number(call.url.pathname.slice(1)) };
    for (const what of await untruths(this.database, this.everIncluded, receiver, event)) this.watch.violated(what);
    await this.watch.point(call, 'after');
    const { schedule } = this.kernel;
    // Once for each delivery: the second wait of the schedule is five minutes, the third half an hour.
    if (this.isTroubled() && !this.failed.has(id) && schedule.chance(0.15)) {
      this.failed.add(id);
      const bad = schedule.pick(['silent', 'reset', 'reset-after', '500'] as const);
      if (bad === 'reset-after') this.received.set(id, event);
      if (bad === 'silent') return null;
      return bad === '500' ? { status: 500, headers: {}, body: '' } : { code: 'ECONNRESET' };
    }
    this.received.set(id, event);
    return { status: 204, headers: {}, body: '' };
  }
}
