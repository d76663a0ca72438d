import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import type { NodeEndpoint } from '../../../local-chain/src/http/node.endpoint';
import type { Kernel } from '../kernel/kernel';
import type { SimRequest } from './http-edge';
import type { NodeLies } from './node-lies';
import type { Served, Server } from './sim-network';
import { callNode } from './sim-node';
import type { TooLargeAnswers } from './too-large-answers';
import type { UnreadableBlocks } from './unreadable-blocks';

const BROADCAST = '/wallet/broadcasttransaction';

export interface NodeWatch {
  /** An instance may end where it calls, and where the call has been carried out. */
  readonly point: (call: SimRequest, isBroadcast: boolean, point: 'before' | 'after') => Promise<boolean>;
  readonly violated: (what: string) => void;
  /** Under a claim that ended before its time, which only the database's clock is to blame for: what is sent is taken back, uncharged. */
  readonly isExcused: (answeredMs: number) => boolean;
}

/** One address of a node: of one node, or of a gateway that passes each call to any of them. */
export class NodeServer implements Server {
  /** The node is away, or what is sent is lost, until then. */
  awayUntilMs = 0;
  awayHow: 'refused' | 'lost' = 'refused';
  /** Each answer comes so much later. */
  slowByMs = 0;

  constructor(
    private readonly kernel: Kernel,
    private readonly nodes: readonly NodeEndpoint[],
    private readonly database: Client,
    private readonly watch: NodeWatch,
    private readonly unreadable: UnreadableBlocks,
    private readonly lies: NodeLies,
    private readonly tooLarge: TooLargeAnswers,
  ) {}

  async sent(call: SimRequest, body: string): Promise<'refused' | 'lost' | 'dead' | null> {
    const isBroadcast = call.url.pathname === BROADCAST;
    if (isBroadcast) await this.requireCommitted(call, body);
    if (await this.watch.point(call, isBroadcast, 'before')) return 'dead';
    return this.kernel.nowMs < this.awayUntilMs ? this.awayHow : null;
  }

  async serve(call: SimRequest, body: string): Promise<Served> {
    const node = this.nodes.length === 1 ? this.nodes[0]! : this.kernel.schedule.pick(this.nodes);
    const served = await callNode(this.kernel, node, call.url.pathname, body);
    await this.watch.point(call, call.url.pathname === BROADCAST, 'after');
    const { pathname } = call.url;
    const told = this.tooLarge.seen(node, pathname, this.lies.seen(node, pathname, body, served));
    return this.unreadable.seen(pathname, body, told);
  }

  /** The first rule of all: no bytes leave before their row is committed. */
  private async requireCommitted(call: SimRequest, body: string): Promise<void> {
    const { raw_data_hex: hex } = JSON.parse(body) as { raw_data_hex: string };
    const txId = createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
    const { rows } = await this.database.query<{
      purpose: string;
      answer: string;
      answered: number;
      subject_id: string;
    }>({
      name: 'sim_is_committed',
      text: `select t.purpose, d.answer, extract(epoch from d.answered_at)::float8 * 1000 as answered, t.subject_id from chain_transactions t left join delegations d on d.id = t.subject_id
              where t.tx_id = $1`,
      values: [txId],
    });
    const [row] = rows;
    this.kernel.log(`${call.process.name} sends ${txId}`);
    if (!row) this.watch.violated(`transaction ${txId} was sent and is not committed`);
    // Its caller may have ordered again.
    if (row?.purpose === 'delegation' && row.answer === 'failure' && !this.watch.isExcused(row.answered))
      this.watch.violated(`the delegation of order ${row.subject_id} was sent behind its answer, a failure`);
  }
}
