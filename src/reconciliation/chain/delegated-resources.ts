import type { Queryable, Statement } from '../../database/sql';

/** What our rows say is lent from one wallet to one receiver at a solid block, at least and at most. */
export interface DelegatedResource {
  readonly wallet: string;
  readonly walletAddress: string;
  readonly receiver: string;
  /** Delegations in the solid chain up to the block whose undelegation cannot be there yet. */
  readonly leastSun: bigint;
  /** With those that may be there: what is under way in either direction. */
  readonly mostSun: bigint;
}

/** How a finding names it. */
export function subjectOf({ wallet, receiver }: Pick<DelegatedResource, 'wallet' | 'receiver'>): string {
  return `${wallet} to ${receiver}`;
}

/** Not of addresses that left the pool: nothing of ours is out there, and their names may be another wallet's by now. */
const pairsWhere = (name: string, condition: string): Statement => ({
  name,
  text: `
    with orders as (
      select d.wallet_id, d.receiver, d.stake_sun,
             case when d.state in ('reclaimed', 'taken_back') then d.shortage_sun else 0 end as gone_sun,
             coalesce(d.delegation_block <= $1 and d.state not in ('reclaimed', 'taken_back'), false) as landed,
             exists (select 1 from chain_transactions t
                      where t.delegation_id = d.id and t.purpose = 'reclaim' and t.state <> 'dead') as reclaim_signed,
             exists (select 1 from chain_transactions t
                      where t.delegation_id = d.id and t.purpose = 'reclaim' and t.state = 'final' and t.block_number <= $1) as back
        from delegations d
       where (d.state in ('pending', 'sent', 'included', 'delegated', 'reclaiming', 'taking_back')
              or (d.state in ('reclaimed', 'taken_back') and d.reclaimed_at > now() - interval '1 hour'))
         and ${condition})
    select (array_agg(w.name order by w.removed_at desc nulls first))[1] as wallet, w.address as wallet_address, o.receiver,
           coalesce(sum(o.stake_sun) filter (where o.landed and not o.reclaim_signed), 0)::bigint as least_sun,
           coalesce(sum(o.stake_sun - o.gone_sun) filter (where not o.back), 0)::bigint as most_sun
      from orders o join pool_wallets w on w.id = o.wallet_id
     group by w.address, o.receiver
    having bool_or(w.removed_at is null)`,
});
/** As many as are lent now and were taken back in the last hour, whatever lies behind them: both have an index. */
const PAIRS = pairsWhere('audit_lent_pairs', 'true');
const PAIR = pairsWhere(
  'audit_lent_pair',
  `d.receiver = $3 and d.wallet_id in (select id from pool_wallets where address = $2)`,
);

interface PairRow {
  wallet: string;
  wallet_address: string;
  receiver: string;
  least_sun: bigint;
  most_sun: bigint;
}

export async function delegatedResources(db: Queryable, solidBlock: number): Promise<DelegatedResource[]> {
  return (await db.rows<PairRow & Record<string, unknown>>(PAIRS, [solidBlock])).map(readPair);
}

/** One pair alone; null when nothing is lent between them. */
export async function delegatedResource(
  db: Queryable,
  solidBlock: number,
  pair: DelegatedResource,
): Promise<DelegatedResource | null> {
  const values = [solidBlock, pair.walletAddress, pair.receiver];
  const row = await db.row<PairRow & Record<string, unknown>>(PAIR, values);
  return row && readPair(row);
}

function readPair(row: PairRow): DelegatedResource {
  return {
    wallet: row.wallet,
    walletAddress: row.wallet_address,
    receiver: row.receiver,
    leastSun: row.least_sun,
    mostSun: row.most_sun,
  };
}
