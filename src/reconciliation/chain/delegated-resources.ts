import type { Queryable } from '../../database/sql';
import { statement } from '../../database/statement';
import { LENT_STATES, OPEN_STATES, sqlList, TAKEN_BACK_STATES } from '../../common/order.states';

/** What our rows say is lent from one wallet to one receiver at a solid block, at least and at most. */
export interface DelegatedResource {
  readonly walletId: string;
  readonly wallet: string;
  readonly walletAddress: string;
  readonly receiver: string;
  /** Delegations in the solid chain up to the block whose undelegation cannot be there yet. */
  readonly leastSun: bigint;
  /** With those that may be there: what is under way in either direction. */
  readonly mostSun: bigint;
}

/** For looking it up in memory. */
export function keyOf({ walletId, receiver }: Pick<DelegatedResource, 'walletId' | 'receiver'>): string {
  return `${walletId} ${receiver}`;
}

/** Past its activation, a delegation may be in a block at any moment. */
const MAY_BE_THERE = [...OPEN_STATES.filter((state) => state !== 'activating'), ...LENT_STATES];

/** Not of addresses that left the pool: nothing of ours is out there, and their names may be another wallet's by now. */
const selectWhere = (condition: string): string => `
    with orders as (
      select d.wallet_id, d.receiver, d.stake_sun,
             case when d.state in ${sqlList(TAKEN_BACK_STATES)} then d.shortage_sun else 0 end as gone_sun,
             coalesce(d.delegation_block <= $1 and d.state not in ${sqlList(TAKEN_BACK_STATES)}, false) as landed,
             exists (select 1 from chain_transactions t
                      where t.subject_id = d.id and t.purpose = 'reclaim' and t.state <> 'dead') as reclaim_signed,
             exists (select 1 from chain_transactions t
                      where t.subject_id = d.id and t.purpose = 'reclaim' and t.state = 'final' and t.block_number <= $1) as back
        from delegations d
       where (d.state in ${sqlList(MAY_BE_THERE)}
              or (d.state in ${sqlList(TAKEN_BACK_STATES)} and d.reclaimed_at > now() - interval '1 hour'))
         and ${condition})
    select (array_agg(w.id order by w.removed_at desc nulls first))[1] as wallet_id,
           (array_agg(w.name order by w.removed_at desc nulls first))[1] as wallet, w.address as wallet_address, o.receiver,
           coalesce(sum(o.stake_sun) filter (where o.landed and not o.reclaim_signed), 0)::bigint as least_sun,
           coalesce(sum(o.stake_sun - o.gone_sun) filter (where not o.back), 0)::bigint as most_sun
      from orders o join pool_wallets w on w.id = o.wallet_id
     group by w.address, o.receiver
    having bool_or(w.removed_at is null)`;

interface ResourceRow {
  readonly wallet_id: string;
  readonly wallet: string;
  readonly wallet_address: string;
  readonly receiver: string;
  readonly least_sun: bigint;
  readonly most_sun: bigint;
}

/** As many as are lent now and were taken back in the last hour, however many rows the wallet has: both have an index. */
const ALL = statement<[solidBlock: number], ResourceRow>('audit_lent_pairs', selectWhere('true'));
const ONE = statement<[solidBlock: number, walletAddress: string, receiver: string], ResourceRow>(
  'audit_lent_pair',
  selectWhere(`d.receiver = $3 and d.wallet_id in (select id from pool_wallets where address = $2)`),
);

export async function delegatedResources(db: Queryable, solidBlock: number): Promise<DelegatedResource[]> {
  return (await db.rows(ALL, [solidBlock])).map(readRow);
}

/** One alone; null when nothing is lent between the two. */
export async function delegatedResource(
  db: Queryable,
  solidBlock: number,
  { walletAddress, receiver }: DelegatedResource,
): Promise<DelegatedResource | null> {
  const row = await db.row(ONE, [solidBlock, walletAddress, receiver]);
  return row && readRow(row);
}

function readRow(row: ResourceRow): DelegatedResource {
  return {
    walletId: row.wallet_id,
    wallet: row.wallet,
    walletAddress: row.wallet_address,
    receiver: row.receiver,
    leastSun: row.least_sun,
    mostSun: row.most_sun,
  };
}
