import { type AlsoNeeded, type HoldParams, type HoldRow, holdText } from '../../billing/hold.statements';
import { LENDING_COLUMNS, LENDS } from '../../chain/pool/wallets/pool-wallet.sql';
import { statement } from '../../database/statement';

/**
 * The stake of orders that one wallet carries ($2), taken with their holds: of as many as fit, the small ones first, so that a large one
 * keeps no other out. The wallet is locked last, once `chosen` has its locks, and its newest row decides. An order that cannot be paid
 * counts too, for that is not known yet: what it has kept from another is free for the next statement.
 */
const STAKE: AlsoNeeded = {
  columns: [
    ['stake_sun', 'bigint'],
    ['turn', 'integer'],
  ],
  parts: `, wallet as (
      select ${LENDING_COLUMNS} from pool_wallets where id = $2 and (select count(*) from chosen) >= 0 for no key update
    ), fitting as (
      select o.delegation_id
      from wallet, (
        select delegation_id, sum(stake_sun) over turns as stake_sun, count(*) over turns as orders
        from wanted join payer using (user_id) window turns as (order by stake_sun, turn)
      ) o
      where ${LENDS('o.stake_sun', 'o.orders')}
    )`,
  met: 'o.delegation_id in (select delegation_id from fitting)',
  effects: `, taken as (
      select sum(stake_sun)::bigint as stake_sun, count(*) as orders from hold join wanted using (delegation_id)
    ), reserved as (
      update pool_wallets w
      set reserved_sun = wallet.reserved_sun + taken.stake_sun, transactions_due = wallet.transactions_due + 2 * taken.orders
      from wallet, taken where w.id = wallet.id and taken.orders > 0
    )`,
};

/** Money and stake of an order, both or neither, without an error: `met` says whether the wallet still had the stake. */
export const HOLD_AND_TAKE = statement<HoldParams, HoldRow>('delegation_hold_and_take', holdText('', STAKE));
/** Leaves out those whose account is locked: no order waits for another one's account. */
export const HOLD_AND_TAKE_SKIPPING_LOCKED = statement<HoldParams, HoldRow>(
  'delegation_hold_and_take_skipping_locked',
  holdText('skip locked', STAKE),
);
