import type { Client } from 'pg';
import type { SimChain } from '../network/sim-chain';

/** At any moment, in what is committed. */
const ANOMALIES = `
  select 'a hold is taken and its delegation is ' || coalesce(t.state, 'not signed') as what, h.delegation_id as id
    from holds h left join chain_transactions t on t.subject_id = h.delegation_id and t.purpose = 'delegation'
   where h.state = 'taken' and t.state is distinct from 'final'
  union all
  select 'an order has failed and its delegation is ' || t.state, d.id
    from delegations d join chain_transactions t on t.subject_id = d.id and t.purpose = 'delegation'
   where d.state = 'failed' and t.state <> 'dead'
  union all
  select 'a hold is released and its order is ' || d.state || ' and answered with ' || d.answer, d.id
    from holds h join delegations d on d.id = h.delegation_id
   where h.state = 'released' and d.answer <> 'failure' and d.state <> 'failed'
  union all
  select 'a hold is kept although its order was answered with a failure', d.id
    from holds h join delegations d on d.id = h.delegation_id
   where h.state = 'held' and d.answer = 'failure'
  union all
  select 'an order is ' || d.state || ' and its hold is ' || h.state, d.id
    from delegations d join holds h on h.delegation_id = d.id
   where (d.state in ('delegated', 'reclaiming', 'reclaimed') and h.state <> 'taken') or (d.state = 'failed' and h.state <> 'released')
  union all
  select 'a wallet has reserved less than its open orders have', w.id
    from pool_wallets w
   where w.reserved_sun < (select coalesce(sum(d.stake_sun), 0) from delegations d
                            where d.wallet_id = w.id and d.state in ('pending', 'activating', 'sent', 'included'))
  union all
  select 'more of a wallet counts as free than it has staked', id from pool_wallets where delegable_sun > stake_sun
  union all
  select 'an account holds what no order holds', a.user_id
    from accounts a
   where a.held_sun <> (select coalesce(sum(h.amount_sun), 0) from holds h where h.user_id = a.user_id and h.state = 'held')
      or a.balance_sun <> (select coalesce(sum(e.amount_sun), 0) from ledger_entries e where e.user_id = a.user_id)`;
const DECIDED = `select tx_id, state, expiration_ms::float8 as expires from chain_transactions where state in ('final', 'dead') order by id`;

/** A fork may have dropped the blocks that a reading was made at. */
const MOST_DROPPED = 20;
const OBSERVED_ABOVE = `select name, observed_block from pool_wallets where observed_block > $1`;

interface Observed {
  readonly name: string;
  readonly observed_block: string;
}

interface Decided {
  readonly tx_id: string;
  readonly state: 'final' | 'dead';
  readonly expires: number;
}

/** What has to hold all the time: looked at with each block. */
export class RunningChecker {
  private readonly judged = new Set<string>();

  constructor(
    private readonly database: Client,
    private readonly chain: SimChain,
    private readonly violated: (what: string) => void,
  ) {}

  async check(): Promise<void> {
    const anomalies = await this.database.query<{ what: string; id: string }>({
      name: 'sim_anomalies',
      text: ANOMALIES,
    });
    for (const { what, id } of anomalies.rows) this.violated(`${what}: ${id}`);
    await this.checkObserved();
    const decided = await this.database.query<Decided>({ name: 'sim_decided', text: DECIDED });
    for (const row of decided.rows.filter(({ tx_id: txId }) => !this.judged.has(txId))) this.judge(row);
  }

  private async checkObserved(): Promise<void> {
    const highest = this.chain.node.head.height + MOST_DROPPED;
    const query = { name: 'sim_observed_above', text: OBSERVED_ABOVE, values: [highest] };
    const { rows } = await this.database.query<Observed>(query);
    for (const { name, observed_block: block } of rows)
      this.violated(`${name} counts as read at block ${block}, which does not exist`);
  }

  /** No conclusion before the chain itself allows it. */
  private judge({ tx_id: txId, state, expires }: Decided): void {
    this.judged.add(txId);
    const { node } = this.chain;
    const found = node.blocks.findTransaction(txId);
    if (state === 'final' && (!found || found.height > node.finalHeight))
      this.violated(
        `${txId} counts as final, and is ${found ? `in block ${found.height}, above the final one` : 'in no block'}`,
      );
    if (state === 'dead' && found) this.violated(`${txId} counts as dead, and is in block ${found.height}`);
    const finalMs = node.blocks.find(node.finalHeight)!.timestamp;
    if (state === 'dead' && finalMs < expires)
      this.violated(`${txId} counts as dead before any final block is past its expiration`);
  }
}
