import type { Client } from 'pg';
import type { SimChain } from '../network/sim-chain';
import type { UnreadableBlocks } from '../network/unreadable-blocks';

interface OpenTransaction {
  readonly tx_id: string;
  readonly ref_block_number: string;
  readonly expiration_ms: string;
}

const AWAITED_ACTIVATION = `
  select t.tx_id, t.ref_block_number, t.expiration_ms from delegations d
    join chain_transactions t on t.receiver = d.receiver and t.purpose = 'activation' and t.state in ('saved', 'sent')
   where d.id = $1 and not d.activates and not exists (select from chain_transactions own where own.subject_id = d.id)`;

const PAUSED = `select id from pool_wallets where state = 'paused'`;
/** Each transaction between a wallet and a receiver where less seemed to be lent than the orders say. */
const OF_SUSPICIONS = `
    from findings f
    join pool_wallets w on w.id = f.wallet_id and w.state = 'paused' and w.resumes_itself
    join delegations d on d.wallet_id = f.wallet_id and d.receiver = f.receiver
    join chain_transactions t on t.subject_id = d.id
   where f.resolved_at is null and f.kind in ('undelegation_foreign', 'delegation_missing')`;
const OPEN_OF_SUSPICIONS = `
  select f.wallet_id, t.tx_id, t.ref_block_number, t.expiration_ms ${OF_SUSPICIONS} and t.state not in ('final', 'dead')`;
const LAST_RUN = `select (extract(epoch from ran_at) * 1000)::float8 as ran_ms from job_runs where name = 'reconcile'`;
/** Those of before that moment that were not settled, as the chain had it then. */
const OPEN_AT_LAST_RUN = `
  select distinct f.wallet_id ${OF_SUSPICIONS}
     and t.purpose in ('delegation', 'reclaim') and t.created_at <= to_timestamp($3::float8 / 1000)
     and (t.state not in ('final', 'dead') or t.block_number > $1 or (t.state = 'dead' and t.expiration_ms > $2))`;

const MOST_FOLLOWING_MS = 15_000;
/** `RECONCILE_EVERY`, and the ten seconds after which an instance looks whether a run is due, and the run itself. */
const MOST_BETWEEN_RUNS_MS = 90_000;

/** What cannot be known while a block cannot be read, or was not known when the reconciler last looked. */
export class UnreadJudge {
  constructor(
    private readonly database: Client,
    private readonly chain: SimChain,
    private readonly unreadable: UnreadableBlocks,
  ) {}

  /**
   * For an order that waited for another one's activation: whether that is, or may be, in a block which cannot be read, so that its outcome
   * is unknown.
   */
  async waitedFor(orderId: string): Promise<boolean> {
    const { rows } = await this.database.query<OpenTransaction>(AWAITED_ACTIVATION, [orderId]);
    return rows.some((row) => this.mayBeUnread(row));
  }

  /**
   * Whether each paused wallet has to stay so: a lie had it paused, and what it lent in such a block, or took back there, may be
   * what a stranger took; or the reconciler's last run found transactions on their way, and the next run is still to come.
   */
  async keepsPaused(): Promise<boolean> {
    const { rows: paused } = await this.database.query<{ id: string }>(PAUSED);
    const { rows: open } = await this.database.query<OpenTransaction & { wallet_id: string }>(OPEN_OF_SUSPICIONS);
    const kept = new Set(open.filter((row) => this.mayBeUnread(row)).map((row) => row.wallet_id));
    for (const walletId of await this.openAtLastRun()) kept.add(walletId);
    return paused.length > 0 && paused.every(({ id }) => kept.has(id));
  }

  private async openAtLastRun(): Promise<string[]> {
    const { rows: runs } = await this.database.query<{ ran_ms: number }>(LAST_RUN);
    const { blocks, head, finalHeight } = this.chain.node;
    const ranMs = runs[0]?.ran_ms ?? 0;
    if (head.timestamp - ranMs > MOST_BETWEEN_RUNS_MS) return [];
    let final = blocks.find(finalHeight)!;
    // As old as the final block is now, the final one was then; an instance had followed it a little later.
    const finalMs = ranMs - (head.timestamp - final.timestamp) - MOST_FOLLOWING_MS;
    while (final.height > 1 && final.timestamp > finalMs) final = blocks.find(final.height - 1)!;
    const { rows } = await this.database.query<{ wallet_id: string }>(OPEN_AT_LAST_RUN, [
      final.height,
      final.timestamp,
      ranMs,
    ]);
    return rows.map((row) => row.wallet_id);
  }

  private mayBeUnread({ tx_id: txId, ref_block_number: after, expiration_ms: until }: OpenTransaction): boolean {
    const { blocks } = this.chain.node;
    const found = blocks.findTransaction(txId);
    if (found) return this.unreadable.has(found.height);
    const couldHold = (height: number) => height > Number(after) && blocks.find(height)!.timestamp <= Number(until);
    return this.unreadable.heights.some(couldHold);
  }
}
