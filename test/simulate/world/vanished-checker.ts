import type { Client } from 'pg';
import { BEGINNING_MS } from '../kernel/kernel';
import { type Action, type Plan, TROUBLE_MS } from './plan';

/** A delegation that is sent again and again is in a block by then, whatever fork has dropped it. */
const SURELY_LANDED_MS = 30_000;

const VANISHED = `
  select d.id, extract(epoch from d.answered_at)::float8 * 1000 as answered, t.expiration_ms::float8 as expires
    from delegations d join chain_transactions t on t.subject_id = d.id and t.purpose = 'delegation'
   where d.answer = 'success' and d.state = 'failed' order by d.id`;

interface Vanished {
  readonly id: string;
  readonly answered: number;
  readonly expires: number;
}

/** What was answered with a success is carried out, unless something has kept it from every block until it expired. */
export async function checkVanished(database: Client, plan: Plan): Promise<string[]> {
  const { rows } = await database.query<Vanished>(VANISHED);
  return rows
    .filter((order) => !mayVanish(plan, order))
    .map(({ id }) => `order ${id} was answered with a success and has failed, and nothing had kept it from a block`);
}

/** Nodes that refuse it may, and strangers; else only what came too late to send it again. */
function mayVanish({ actions }: Plan, { answered, expires }: Vanished): boolean {
  const isLost = actions.some(({ kind }) => kind === 'fork' || kind === 'stranger') || actions.some(isBroadcastFault);
  if (!isLost) return false;
  // A fork after its end drops nothing of it.
  const ends = actions.filter(({ kind, atMs }) => kind !== 'fork' || BEGINNING_MS + atMs < expires).map(endMs);
  if (ends.includes(null)) return true;
  return expires - Math.max(answered, ...ends.map((atMs) => BEGINNING_MS + atMs!)) < SURELY_LANDED_MS;
}

function isBroadcastFault(action: Action): boolean {
  return action.kind === 'node-fault' && action.route.includes('broadcast');
}

/** Beyond the trouble itself: a call that was lost is given up by then, a statement on a silent line fails, a session without its client ends. */
const LASTS_MS: Partial<Record<Action['kind'], number>> = {
  'node-fault': 10_000,
  'node-away': 10_000,
  silence: 30_000,
  'half-open': 30_000,
  // An idle line is asked just before its session ends.
  'database-silent': 50_000,
};

/** When an instance can surely send again, and a node takes what is sent; null where that is not sure. */
function endMs(action: Action): number | null {
  const { kind } = action;
  if (kind === 'order' || kind === 'weight') return 0;
  if (kind === 'fork') return action.atMs;
  if (kind === 'stop') return TROUBLE_MS + action.forMs;
  if (kind === 'unreadable-blocks' || kind === 'stranger') return null;
  return TROUBLE_MS + (LASTS_MS[kind] ?? 0);
}

const AGAIN = `
  select t.tx_id, extract(epoch from d.answered_at)::float8 * 1000 as answered
    from delegations d join chain_transactions t on t.subject_id = d.id and t.purpose = 'delegation'
   where d.answer = 'success' and t.state = 'final' and t.tx_id = any($1)`;

/** Answered with a success, then dropped by a fork, and in a final block for all that. */
export async function countLandedAgain(database: Client, droppedMs: ReadonlyMap<string, number>): Promise<number> {
  const { rows } = await database.query<{ tx_id: string; answered: number }>(AGAIN, [[...droppedMs.keys()]]);
  return rows.filter(({ tx_id: txId, answered }) => answered < droppedMs.get(txId)!).length;
}
