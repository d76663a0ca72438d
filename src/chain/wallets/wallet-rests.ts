import { Injectable, Logger } from '@nestjs/common';
import { type Queryable, Sql, type SqlTransaction, type Statement } from '../../database/sql';
import type { OutboxRow } from '../outbox/outbox-row';
import type { WalletRefusal } from './pool-wallet.entity';
import { rests } from './pool.statements';
import type { WalletRow } from './wallet-row';

/**
 * A minute, doubling up to thirty. Only the first of those that saw the wallet as it was counts: what was under way together
 * says one thing.
 */
const REFUSED: Statement = {
  name: 'wallet_refused',
  text: `update pool_wallets
            set refusals = refusals + 1, refused_at = clock_timestamp(), last_refusal = $3::jsonb,
                resting_until = clock_timestamp() + least(2 ^ least(refusals, 5), 30) * interval '1 minute'
          where id = $1 and refusals = $2
         returning refusals, resting_until`,
};

/** After its rest a wallet is tried by one order, not by all that come before that one is answered. */
const TRY_OUT: Statement = {
  name: 'wallet_try_out',
  text: `update pool_wallets
            set resting_until = case when refusals > 0 then clock_timestamp() + interval '10 seconds' end
          where id = $1 and (refusals = 0 or not ${rests('pool_wallets')})
         returning resting_until::text as turn`,
};
/** The order was not written, so nothing of it tells anything. Only the turn that it took itself: another's goes on. */
const GIVE_BACK: Statement = {
  name: 'wallet_give_back',
  text: `update pool_wallets set resting_until = clock_timestamp() where id = $1 and resting_until = $2::timestamptz`,
};

/**
 * Proof that the network takes the wallet's transactions again: of the refused kind, as each kind needs a permission of its own,
 * and signed after the refusal, or the refused bytes themselves.
 */
const WORKED: Statement = {
  name: 'wallet_worked',
  text: `update pool_wallets w set refusals = 0, resting_until = null
          where w.refusals > 0
            and exists (select 1 from chain_transactions t
                         where t.id = any($1::bigint[]) and t.wallet_id = w.id and t.purpose = w.last_refusal ->> 'purpose'
                           and (t.created_at > w.refused_at or w.refused_at > clock_timestamp() or t.tx_id = w.last_refusal ->> 'txid'))
         returning w.name`,
};

/** The order before its wallet, as a settlement locks them: the other way round they could wait for each other. */
const LOCK_ORDER: Statement = {
  name: 'wallet_rests_lock_order',
  text: `select 1 from delegations where id = $1 for no key update`,
};
/** Of a wallet whose reclaims are refused one is sent at a time: it shows when they are taken again, and the others wait for it. */
const LOCK: Statement = {
  name: 'wallet_lock_for_reclaim',
  text: `select refusals > 0 and last_refusal ->> 'purpose' = 'reclaim' as refused from pool_wallets where id = $1 for no key update`,
};
/** One that nobody can decide, for no node has its blocks any more, keeps no other waiting: its bytes are long dead by then. */
const RECLAIM_UNDER_WAY = (wallet: string): string => `exists (
  select 1 from chain_transactions t
   where t.wallet_id = ${wallet} and t.purpose = 'reclaim' and t.state in ('saved', 'sent')
     and t.created_at > clock_timestamp() - interval '10 minutes')`;
const UNDER_WAY: Statement = {
  name: 'wallet_reclaim_under_way',
  text: `select 1 as found where ${RECLAIM_UNDER_WAY('$1::uuid')}`,
};
const WAITING: Statement = {
  name: 'wallets_waiting_to_reclaim',
  text: `select w.id from pool_wallets w
          where w.refusals > 0 and w.last_refusal ->> 'purpose' = 'reclaim' and ${RECLAIM_UNDER_WAY('w.id')}`,
};

/** Of an order at a wallet that was refused: until when all others pass it over. Null at a wallet that was not. */
export type Turn = { turn: string | null };

export type RestingWallet = Pick<WalletRow, 'id' | 'name' | 'refusals' | 'resting_until' | 'last_refusal'>;

/**
 * Wallets whose own transactions the network refuses (a key, a permission, bandwidth, TRX): they rest, so that the next orders
 * take others. Kept on their rows, for every instance and over restarts.
 */
@Injectable()
export class WalletRests {
  private readonly logger = new Logger(WalletRests.name);

  constructor(private readonly sql: Sql) {}

  /** Null when another refusal has been counted since the wallet was looked at. */
  async begin(wallet: WalletRow, refusal: WalletRefusal): Promise<RestingWallet | null> {
    const values = [wallet.id, wallet.refusals, JSON.stringify(refusal)];
    const row = await this.sql.row<{ refusals: number; resting_until: Date }>(REFUSED, values);
    return row && { id: wallet.id, name: wallet.name, last_refusal: refusal, ...row };
  }

  /** Null for all but a wallet that was not refused and the one order that tries one whose rest is over. */
  async takeTurn(wallet: WalletRow, db: Queryable = this.sql): Promise<Turn | null> {
    return wallet.refusals === 0 ? { turn: null } : db.row<Turn>(TRY_OUT, [wallet.id]);
  }

  async giveBack(wallet: WalletRow, { turn }: Turn): Promise<void> {
    if (turn !== null) await this.sql.execute(GIVE_BACK, [wallet.id, turn]);
  }

  /** These are in a block. Last in its transaction: an order that waits for a wallet holds an account. */
  async worked(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void> {
    for (const { name } of await tx.rows<{ name: string }>(WORKED, [rows.map(({ id }) => id)])) {
      tx.afterCommit(() => this.logger.warn(`The wallet ${name} works again and takes orders`));
    }
  }

  /** In the transaction that saves the next reclaim. */
  async mayReclaim(tx: SqlTransaction, wallet: WalletRow, orderId: string): Promise<boolean> {
    if (wallet.refusals === 0 || wallet.last_refusal?.purpose !== 'reclaim') return true;
    await tx.row(LOCK_ORDER, [orderId]);
    const now = await tx.row<{ refused: boolean | null }>(LOCK, [wallet.id]);
    return !now?.refused || (await tx.row(UNDER_WAY, [wallet.id])) === null;
  }

  async waitingToReclaim(): Promise<string[]> {
    return (await this.sql.rows<{ id: string }>(WAITING)).map(({ id }) => id);
  }
}
