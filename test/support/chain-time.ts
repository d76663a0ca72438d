import type { OrderWorld } from './order-world';
import { until } from './until';

interface Head {
  readonly block_header: { readonly raw_data: { readonly timestamp: number } };
}

/** Money is held for an order, or it is not known whether its transaction lands. */
const UNDECIDED = `select 1 from holds where state = 'held'
  union all select 1 from chain_transactions where purpose <> 'reclaim' and state in ('saved', 'sent', 'included') limit 1`;
const NOT_BACK = `select 1 from delegations where state not in ('failed', 'reclaimed', 'taken_back') limit 1`;
/** Beside the leases: those of requests and reclaims last half a minute, and waits double. */
const LIMIT_MS = 180_000;

/** By the newest block. */
export async function headMs(world: OrderWorld): Promise<number> {
  const head = (await world.node('wallet/getnowblock')) as unknown as Head;
  return head.block_header.raw_data.timestamp;
}

/** How long it takes on chain, from `sinceMs`, until every order is charged or free, and until all is back: leases and waits last as they do. */
export async function chainTimeToEnd(
  world: OrderWorld,
  sinceMs: number,
): Promise<Record<'decidedMs' | 'backMs', number>> {
  await expireUnseen(world);
  const isNone = (text: string) => async () => (await world.query(text)).length === 0;
  await until('every order charged or free', isNone(UNDECIDED), LIMIT_MS);
  const decidedMs = (await headMs(world)) - sinceMs;
  await until('everything back', isNone(NOT_BACK), LIMIT_MS);
  return { decidedMs, backMs: (await headMs(world)) - sinceMs };
}

/** Moves the chain's clock to where what is in no block by now has expired, and no further. */
async function expireUnseen(world: OrderWorld): Promise<void> {
  const [row] = await world.query(
    `select max(expiration_ms)::float8 as expires from chain_transactions where purpose <> 'reclaim' and state in ('saved', 'sent')`,
  );
  const aheadMs = Number(row!['expires'] ?? 0) - (await headMs(world));
  if (aheadMs > 0) await world.control('clock', { ms: aheadMs });
}
