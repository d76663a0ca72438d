import type { Client } from 'pg';
import { BEGINNING_MS } from '../kernel/kernel';
import { type Action, type Plan, TROUBLE_MS } from './plan';

/** A delegation that is sent again and again is in a block by then, whatever fork has dropped it. */
const SURELY_LANDED_MS = 30_000;

const VANISHED = `
  select d.id, extract(epoch from d.answered_at)::float8 * 1000 as answered, t.expiration_ms::float8 as expires
    from delegations d join chain_transactions t on t.delegation_id = d.id and t.purpose = 'delegation'
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

/** What lasts until the end of the trouble, at the longest. */
const UNTIL_CALM = ['kill', 'cut', 'refusal', 'database-away', 'database-full', 'database-clock', 'node-behind'];
/** A statement on a silent line fails behind so long, and so does the rollback behind it. */
const LONGEST_SILENCE_MS = 45_000;

/** When an instance can surely send again, and a node takes what is sent; null where that is not sure. */
function endMs(action: Action): number | null {
  if (action.kind === 'order' || action.kind === 'weight') return 0;
  if (action.kind === 'fork') return action.atMs;
  if (action.kind === 'stop') return TROUBLE_MS + action.forMs;
  if (action.kind === 'node-fault') return action.fault === 'accept-then-drop' ? TROUBLE_MS : null;
  if (action.kind === 'silence') return TROUBLE_MS + LONGEST_SILENCE_MS;
  return UNTIL_CALM.includes(action.kind) ? TROUBLE_MS : null;
}
