import type { Client } from 'pg';
import type { SimChain } from '../network/sim-chain';
import type { UnreadableBlocks } from '../network/unreadable-blocks';

/** Longer than the longest pause before something is tried again. */
const MOST_WAITING_MS = 90_000;
const OPEN = `select tx_id, state from chain_transactions where state not in ('final', 'dead') order by id`;

const UNDECIDED = `
  select 'the ' || purpose || ' ' || tx_id || ' is ' || state as what from chain_transactions
   where purpose <> 'reclaim' and state not in ('final', 'dead')
  union all
  select 'the money of order ' || delegation_id || ' is held' from holds where state = 'held'`;

/** Five minutes after the last trouble: of no order is it open what became of it, or where its money goes. */
export async function checkDecided(database: Client): Promise<string[]> {
  const { rows } = await database.query<{ what: string }>(UNDECIDED);
  return rows.map(({ what }) => `${what} five minutes after the last trouble`);
}

interface AwaitedActivation {
  readonly tx_id: string;
  readonly ref_block_number: string;
  readonly expiration_ms: string;
}

const AWAITED_ACTIVATION = `
  select t.tx_id, t.ref_block_number, t.expiration_ms from delegations d
    join chain_transactions t on t.receiver = d.receiver and t.purpose = 'activation' and t.state in ('saved', 'sent')
   where d.id = $1 and not d.activates and not exists (select from chain_transactions own where own.subject_id = d.id)`;

/**
 * For an order that waited for another one's activation: whether that is, or may be, in a block which cannot be read, so that its outcome
 * is unknown.
 */
export async function waitedForUnreadable(
  database: Client,
  chain: SimChain,
  unreadable: UnreadableBlocks,
  orderId: string,
): Promise<boolean> {
  const { rows } = await database.query<AwaitedActivation>(AWAITED_ACTIVATION, [orderId]);
  const { blocks } = chain.node;
  return rows.some(({ tx_id: txId, ref_block_number: after, expiration_ms: until }) => {
    const found = blocks.findTransaction(txId);
    if (found) return unreadable.has(found.height);
    const couldHold = (height: number) => height > Number(after) && blocks.find(height)!.timestamp <= Number(until);
    return unreadable.heights.some(couldHold);
  });
}

/** Once nothing but some blocks cannot be read: what is final in another one is settled all the same. */
export async function checkSettled(database: Client, chain: SimChain, unreadable: UnreadableBlocks): Promise<string[]> {
  const { rows } = await database.query<{ tx_id: string; state: string }>(OPEN);
  const { blocks, finalHeight } = chain.node;
  const timeOf = (height: number) => blocks.find(height)!.timestamp;
  return rows.flatMap(({ tx_id: txId, state }) => {
    const found = blocks.findTransaction(txId);
    if (!found || found.height > finalHeight || unreadable.has(found.height)) return [];
    if (timeOf(finalHeight) - timeOf(found.height) < MOST_WAITING_MS) return [];
    return [`${txId} is in block ${found.height}, final and readable for long, and counts as ${state}`];
  });
}
