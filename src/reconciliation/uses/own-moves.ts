import type { TransactionEffect } from '../../chain/transactions/kinds/transaction-kind';
import type { TransactionKinds } from '../../chain/transactions/kinds/transaction-kinds';
import { IS_OPEN } from '../../chain/transactions/outbox/chain-transaction.entity';
import type { TimedView } from '../../chain/pool/wallets/wallet-view.repository';
import type { Queryable } from '../../database/sql';
import { statement } from '../../database/statement';
import { DELEGATION, RECLAIM } from '../../delegation/transaction-kinds';

/** A transaction of ours that changes what the chain shows of its wallet. */
export interface OwnMove extends TransactionEffect {
  /** Null: it is not final. It may be in any block, whatever its row names: a fork may have dropped that. */
  readonly block: number | null;
  /** Null where it is not known. */
  readonly timeMs: number | null;
}

const NO_EFFECT: TransactionEffect = { lentSun: 0n, paidSun: 0n, energySun: 0n, bandwidthSun: 0n, restakes: false };

interface MoveRow {
  readonly purpose: string;
  readonly amount_sun: bigint | null;
  readonly block_number: bigint | null;
  readonly block_time_ms: bigint | null;
}

const COLUMNS = 't.purpose, t.amount_sun, t.block_number, t.block_time_ms';
/** In blocks from the one after $2 up to $3. */
const isWithin = (block: string) => `${block} > $2 and ${block} <= $3`;
const ofOrder = (condition: string, { name }: typeof DELEGATION) => `
  (select ${COLUMNS} from delegations d cross join lateral (
     select x.purpose, x.amount_sun, x.block_number, x.block_time_ms, x.state
       from chain_transactions x where x.subject_id = d.id offset 0) t
    where d.wallet_id = w.id and ${condition} and t.purpose = '${name}' and t.state = 'final' and ${isWithin('t.block_number')}
   offset 0)`;

/** By all wallets of the address: one may have left the pool and come again, in another role. The time only limits how many reclaims are looked at. */
const MOVES = statement<[address: string, after: number, upTo: number, since: Date], MoveRow>(
  'wallet_use_own_moves',
  `select m.purpose, m.amount_sun, m.block_number, m.block_time_ms
     from pool_wallets w cross join lateral (
       (select t.purpose, t.amount_sun, null::bigint as block_number, null::bigint as block_time_ms from chain_transactions t
         where t.wallet_id = w.id and t.${IS_OPEN} and t.ref_block_number < $3)
       union all
       (select ${COLUMNS} from chain_transactions t
         where t.wallet_id = w.id and t.purpose not in ('${DELEGATION.name}', '${RECLAIM.name}') and t.state = 'final' and ${isWithin('t.block_number')} offset 0)
       union all ${ofOrder(isWithin('d.delegation_block'), DELEGATION)}
       union all ${ofOrder(
         `d.state in ('reclaimed', 'taken_back') and d.reclaimed_at > $4::timestamptz - interval '5 minutes' and d.reclaimed_at < 'infinity'`,
         RECLAIM,
       )}) m
    where w.address = $1`,
);

/** A reading is of a block that may be older than the database's clock said, by as much as finality or a node was behind; hardly by this much. */
const FURTHEST_BEHIND_MS = 86_400_000;

/**
 * The moves of this wallet's address, in blocks from the one after the reading up to `upTo`, and those that are in no block yet as far as
 * is known. A reclaim is dated by its block, and comes after the last operation that the reading shows.
 * @param floor from this block on also those that the reading does not show, by the time of its last operation: a gateway's account may be
 * older than the height beside it
 * @throws UnknownKindError where what a transaction does is not known to this process
 */
export async function ownMoves(
  db: Queryable,
  kinds: TransactionKinds,
  address: string,
  reading: TimedView,
  upTo: number,
  floor = Infinity,
): Promise<OwnMove[]> {
  const { at, block: shown, view } = reading;
  const since = Math.min(at.getTime(), Math.max(view.operatedMs, at.getTime() - FURTHEST_BEHIND_MS));
  const rows = await db.rows(MOVES, [address, Math.min(shown, floor - 1), upTo, new Date(since)]);
  const moves = rows.map((row) => ({
    ...NO_EFFECT,
    ...kinds.of(row.purpose).effect?.(row.amount_sun ?? 0n),
    block: row.block_number === null ? null : Number(row.block_number),
    timeMs: row.block_time_ms === null ? null : Number(row.block_time_ms),
  }));
  return moves.filter(({ block, timeMs }) => block === null || block > shown || timeMs! > view.operatedMs);
}
