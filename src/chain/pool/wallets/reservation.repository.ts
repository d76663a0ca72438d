import { Injectable } from '@nestjs/common';
import { Sql, type SqlTransaction } from '../../../database/sql';
import { statement } from '../../../database/statement';
import type { AccountView } from '../../tron/node/account-view';
import type { Unfreezing } from '../../tron/node/unfreezing';
import { IS_OPEN_ORDER } from '../../../common/order.states';
import { LENDING_COLUMNS, LENDS, RESERVED, TRANSACTIONS_DUE } from './pool-wallet.sql';

/** What the chain said of a wallet at one solid block. */
export interface WalletReading {
  readonly walletId: string;
  readonly delegableSun: bigint;
  readonly stakeSun: bigint;
  readonly balanceSun: bigint;
  readonly bandwidth: bigint;
  readonly freeBandwidth: bigint;
  /** Stake whose energy is used and has not recovered yet. */
  readonly usedEnergySun: bigint;
  readonly unfreezing: readonly Unfreezing[];
  readonly block: number;
  /** No later than this one, where `block` is the first that it may be of. */
  readonly until: number;
  readonly account: AccountView;
}

/**
 * The stake of one order. The newest row decides, whatever the order saw when it chose the wallet. The wallet is locked first, because
 * an update without that would check the row as it was before its lock.
 */
const TAKE_STAKE = statement<[walletId: string, stakeSun: bigint]>(
  'pool_take_stake',
  `
    with wallet as (
      select ${LENDING_COLUMNS} from pool_wallets where id = $1 for no key update
    )
    update pool_wallets w
    set reserved_sun = wallet.reserved_sun + $2, transactions_due = wallet.transactions_due + 2
    from wallet where w.id = wallet.id and ${LENDS('$2', '1')}`,
);

/** Taken before counting, or the sum would miss an order that commits meanwhile. */
const LOCK_TO_COUNT = statement<[walletId: string], { observed_block: bigint }>(
  'pool_lock_to_count',
  `select observed_block from pool_wallets where id = $1 for no key update`,
);

/**
 * An older reading does not replace a newer one, whichever instance made it. After a minute any reading is taken, since each is valid
 * for its own block: a wrong block number must not keep an old reading for ever.
 */
const OBSERVE = statement<
  [
    walletId: string,
    delegableSun: bigint,
    stakeSun: bigint,
    balanceSun: bigint,
    bandwidth: bigint,
    freeBandwidth: bigint,
    block: number,
    usedEnergySun: bigint,
    unfreezing: string,
  ]
>(
  'pool_observed',
  `update pool_wallets
      set delegable_sun = $2, stake_sun = $3, balance_sun = $4, bandwidth = $5, free_bandwidth = $6, observed_block = $7,
          used_energy_sun = $8, unfreezing = $9::jsonb, observed_at = clock_timestamp()
    where id = $1 and (observed_block <= $7 or observed_at not between clock_timestamp() - interval '1 minute' and clock_timestamp())`,
);

/** Frees what orders gave up since the last count: dead orders, and those that the reading shows by now. */
const COUNT_RESERVED = statement<[walletId: string], { transactions_due: bigint }>(
  'pool_count_reserved',
  `update pool_wallets w set reserved_sun = ${RESERVED}, transactions_due = ${TRANSACTIONS_DUE} where w.id = $1 returning w.transactions_due`,
);

/**
 * Stake of wallet `w` that is not lent, where it takes no orders and none is open: the network unfreezes stake whose energy is used, and that
 * energy is missed by no order then. 0 for any other wallet.
 */
const UNLENT_AT_REST = `
  case when w.state <> 'active' and not exists (select from delegations d where d.wallet_id = w.id and d.${IS_OPEN_ORDER})
       then coalesce((select (v.newest ->> 'energySun')::bigint from wallet_views v where v.wallet_id = w.id), 0) else 0 end`;

/** Stake that orders are not to get any more. Gives what is left to them where it is less than that, and changes nothing then. */
const TAKE_FROM_ORDERS = statement<[walletId: string, stakeSun: bigint], { is_taken: boolean; free_sun: bigint }>(
  'pool_take_from_orders',
  `with wallet as (
     select w.id, greatest(w.delegable_sun, ${UNLENT_AT_REST}) - w.reserved_sun as free_sun from pool_wallets w where w.id = $1 for no key update of w
   ), taken as (
     update pool_wallets w set reserved_sun = w.reserved_sun + $2
       from wallet where w.id = wallet.id and wallet.free_sun >= $2
     returning w.id
   )
   select exists (select from taken) as is_taken, greatest(free_sun, 0) as free_sun from wallet`,
);

const FITS_WHEN_COUNTED = statement<[stakeSun: bigint], { id: string }>(
  'pool_fits_when_counted',
  `select w.id
     from pool_wallets w
    cross join lateral (select ${RESERVED} as reserved_sun, ${TRANSACTIONS_DUE} as transactions_due) counted
    where w.role = 'delegate' and w.state = 'active' and w.delegable_sun - counted.reserved_sun >= $1::bigint
      and (w.reserved_sun > counted.reserved_sun or w.transactions_due > counted.transactions_due)`,
);

/** The stake that orders reserve at a wallet, and its reading, in the row of `pool_wallets`. */
@Injectable()
export class ReservationRepository {
  constructor(private readonly sql: Sql) {}

  /** False when the wallet does not have the stake any more, or takes no orders. */
  async take(tx: SqlTransaction, walletId: string, stakeSun: bigint): Promise<boolean> {
    return (await tx.execute(TAKE_STAKE, [walletId, stakeSun])) > 0;
  }

  async lock(tx: SqlTransaction, walletId: string): Promise<void> {
    await tx.row(LOCK_TO_COUNT, [walletId]);
  }

  /** False when the row has a newer reading. */
  async observe(tx: SqlTransaction, reading: WalletReading): Promise<boolean> {
    const { walletId, delegableSun, stakeSun, balanceSun, bandwidth, freeBandwidth, block, usedEnergySun } = reading;
    const unfreezing = JSON.stringify(reading.unfreezing.map((one) => ({ ...one, sun: one.sun.toString() })));
    const stakes = [walletId, delegableSun, stakeSun, balanceSun] as const;
    return (await tx.execute(OBSERVE, [...stakes, bandwidth, freeBandwidth, block, usedEnergySun, unfreezing])) === 1;
  }

  /** The wallet has to be locked. How many transactions it has still to pay for. */
  async count(tx: SqlTransaction, walletId: string): Promise<bigint> {
    return (await tx.row(COUNT_RESERVED, [walletId]))!.transactions_due;
  }

  /** The wallet has to be locked, and counted. Null when the stake is taken; else what is left of it. */
  async takeFromOrders(tx: SqlTransaction, walletId: string, stakeSun: bigint): Promise<bigint | null> {
    const found = (await tx.row(TAKE_FROM_ORDERS, [walletId, stakeSun]))!;
    return found.is_taken ? null : found.free_sun;
  }

  /** Wallets whose stored sum is too high, and that have this stake once it is counted. */
  async findFittingOnceCounted(stakeSun: bigint): Promise<string[]> {
    return (await this.sql.rows(FITS_WHEN_COUNTED, [stakeSun])).map(({ id }) => id);
  }
}
