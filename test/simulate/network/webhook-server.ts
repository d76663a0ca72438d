import type { Client } from 'pg';
import type { Kernel } from '../kernel/kernel';
import type { SimRequest } from './http-edge';
import type { Served, Server } from './sim-network';

interface Event {
  readonly type: string;
  readonly data: { readonly id: string };
}

/** What has to be true of an order, for good, once its receiver hears of it. */
const TRUE_STATES: Readonly<Record<string, readonly string[]>> = {
  'delegation.delegated': ['delegated', 'reclaiming', 'reclaimed'],
  'delegation.failed': ['failed', 'taking_back', 'taken_back'],
  'delegation.reclaimed': ['reclaimed', 'taken_back'],
};

/** A user's own server, which is not always well. */
export class WebhookServer implements Server {
  /** Events by delivery. */
  readonly received = new Map<string, Event>();
  private readonly failed = new Set<string>();

  constructor(
    private readonly kernel: Kernel,
    private readonly database: Client,
    private readonly watch: {
      readonly point: (call: SimRequest, point: 'before' | 'after') => Promise<boolean>;
      readonly violated: (what: string) => void;
    },
    private readonly isTroubled: () => boolean,
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
    const event = JSON.parse(body) as Event;
    await this.requireTrue(id, event);
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

  private async requireTrue(id: string, { type, data }: Event): Promise<void> {
    const { rows } = await this.database.query<{ is_written: boolean; state: string | null }>({
      name: 'sim_is_true',
      text: `select exists (select from webhook_deliveries where id = $1) as is_written,
                    (select state from delegations where id = $2) as state`,
      values: [id, type.startsWith('delegation.') ? data.id : null],
    });
    const { is_written: isWritten, state } = rows[0]!;
    if (!isWritten) this.watch.violated(`webhook ${id} (${type}) was sent and is not committed`);
    if (TRUE_STATES[type] && !TRUE_STATES[type].includes(state ?? 'none'))
      this.watch.violated(`webhook ${type} was sent of order ${data.id}, which is ${state ?? 'not committed'}`);
  }
}
