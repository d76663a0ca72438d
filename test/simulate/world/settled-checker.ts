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

const MISSING = `select from delegations where state = 'reclaiming' and stake_missing limit 1`;

/** Five minutes after the last trouble: of no order is it open what became of it, or where its money goes. */
export async function checkDecided(database: Client): Promise<string[]> {
  const { rows } = await database.query<{ what: string }>(UNDECIDED);
  return rows.map(({ what }) => `${what} five minutes after the last trouble`);
}

/** Whether stake of an order is missing, which is not given up before every configured node says so; no other order waits for a node that is behind. */
export async function waitsForEveryNode(database: Client): Promise<boolean> {
  const { rows } = await database.query(MISSING);
  return rows.length > 0;
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
