import { Injectable } from '@nestjs/common';
import { type Queryable, Sql, type SqlTransaction } from '../../../database/sql';
import { statement } from '../../../database/statement';
import type { WalletRefusal } from './pool-wallet.entity';
import { RECLAIMS_REFUSED, rests } from './pool-wallet.sql';
import type { WalletRow } from './wallet-row';

/**
 * One minute, doubling up to thirty. Conditional on the count that the caller saw: of several refusals that were under way together,
 * only the first counts, because together they say one thing.
 */
const REFUSED = statement<
  [walletId: string, refusalsSeen: number, refusal: string],
  { refusals: number; resting_until: Date }
>(
  'wallet_refused',
  `update pool_wallets
      set refusals = refusals + 1, refused_at = clock_timestamp(), last_refusal = $3::jsonb,
          resting_until = clock_timestamp() + least(2 ^ least(refusals, 5), 30) * interval '1 minute'
    where id = $1 and refusals = $2
   returning refusals, resting_until`,
);

/** After its rest, one order tries the wallet; the others pass it over until that order is answered. */
const TRY_OUT = statement<[walletId: string], Turn>(
  'wallet_try_out',
  `update pool_wallets
      set resting_until = case when refusals > 0 then clock_timestamp() + interval '10 seconds' end
    where id = $1 and (refusals = 0 or not ${rests('pool_wallets')})
   returning resting_until::text as turn`,
);

/** Ends only the turn that this order took: another order's turn goes on. */
const GIVE_BACK = statement<[walletId: string, turn: string]>(
  'wallet_give_back',
  `update pool_wallets set resting_until = clock_timestamp() where id = $1 and resting_until = $2::timestamptz`,
);

/**
 * A block includes a transaction of the refused kind (each kind needs a permission of its own) that was signed after the refusal, or
 * the refused bytes themselves: the network accepts the wallet's transactions again.
 */
const WORKED = statement<[transactionIds: readonly bigint[]], { name: string }>(
  'wallet_worked',
  `update pool_wallets w set refusals = 0, resting_until = null
    where w.refusals > 0
      and exists (select 1 from chain_transactions t
                   where t.id = any($1::bigint[]) and t.wallet_id = w.id and t.purpose = w.last_refusal ->> 'purpose'
                     and (t.created_at > w.refused_at or w.refused_at > clock_timestamp() or t.tx_id = w.last_refusal ->> 'txid'))
   returning w.name`,
);

/** The order before its wallet, as a settlement locks them: in the other order the two could deadlock. */
const LOCK_ORDER = statement<[orderId: string]>(
  'wallet_rests_lock_order',
  `select 1 from delegations where id = $1 for no key update`,
);

const LOCK = statement<[walletId: string], { refused: boolean }>(
  'wallet_lock_for_reclaim',
  `select ${RECLAIMS_REFUSED('w')} as refused from pool_wallets w where id = $1 for no key update`,
);

/** A reclaim whose blocks no node has can never be decided. After ten minutes its bytes have long expired, and it delays no others. */
const RECLAIM_UNDER_WAY = (wallet: string): string => `exists (
  select 1 from chain_transactions t
   where t.wallet_id = ${wallet} and t.purpose = 'reclaim' and t.state in ('saved', 'sent')
     and t.created_at > clock_timestamp() - interval '10 minutes')`;
const UNDER_WAY = statement<[walletId: string], { found: number }>(
  'wallet_reclaim_under_way',
  `select 1 as found where ${RECLAIM_UNDER_WAY('$1::uuid')}`,
);
const WAITING = statement<[], { id: string }>(
  'wallets_waiting_to_reclaim',
  `select w.id from pool_wallets w
    where ${RECLAIMS_REFUSED('w')} and ${RECLAIM_UNDER_WAY('w.id')}`,
);

/** Until when all other orders pass over a wallet that this order tries. Null at a wallet that was not refused. */
export type Turn = { turn: string | null };

/** Refusals and rests of wallets, in the rows of `pool_wallets`. */
@Injectable()
export class WalletRestRepository {
  constructor(private readonly sql: Sql) {}

  /** Null when another refusal was counted since the wallet's row was read. */
  refused(wallet: WalletRow, refusal: WalletRefusal): Promise<{ refusals: number; resting_until: Date } | null> {
    return this.sql.row(REFUSED, [wallet.id, wallet.refusals, JSON.stringify(refusal)]);
  }

  /** Null while the wallet rests. */
  takeTurn(walletId: string, db: Queryable = this.sql): Promise<Turn | null> {
    return db.row(TRY_OUT, [walletId]);
  }

  async giveBack(walletId: string, turn: string): Promise<void> {
    await this.sql.execute(GIVE_BACK, [walletId, turn]);
  }

  /** Names of the wallets that these transactions prove to work again. */
  async worked(tx: SqlTransaction, transactionIds: readonly bigint[]): Promise<string[]> {
    return (await tx.rows(WORKED, [transactionIds])).map(({ name }) => name);
  }

  /** Locks the order and then its wallet. True while the wallet's reclaims are refused. */
  async lockForReclaim(tx: SqlTransaction, walletId: string, orderId: string): Promise<boolean> {
    await tx.row(LOCK_ORDER, [orderId]);
    return (await tx.row(LOCK, [walletId]))?.refused === true;
  }

  async isReclaimUnderWay(tx: SqlTransaction, walletId: string): Promise<boolean> {
    return (await tx.row(UNDER_WAY, [walletId])) !== null;
  }

  async findWaitingToReclaim(): Promise<string[]> {
    return (await this.sql.rows(WAITING)).map(({ id }) => id);
  }
}
