import { Injectable, Logger } from '@nestjs/common';
import type { Queryable, SqlTransaction } from '../../../database/sql';
import type { OutboxRow } from '../../transactions/outbox/outbox-row';
import type { WalletRefusal } from './pool-wallet.entity';
import { type Turn, WalletRestRepository } from './wallet-rest.repository';
import type { WalletRow } from './wallet-row';

export type { Turn } from './wallet-rest.repository';

export type RestingWallet = Pick<WalletRow, 'id' | 'name' | 'refusals' | 'resting_until' | 'last_refusal'>;

/**
 * A wallet whose transactions the network refuses for its own fault (key, permission, bandwidth, TRX) rests, so that new orders take
 * other wallets. Kept in its row, for all instances and across restarts.
 */
@Injectable()
export class WalletRests {
  private readonly logger = new Logger(WalletRests.name);

  constructor(private readonly rows: WalletRestRepository) {}

  /** Null when another refusal was counted since the wallet's row was read. */
  async begin(wallet: WalletRow, refusal: WalletRefusal): Promise<RestingWallet | null> {
    const row = await this.rows.refused(wallet, refusal);
    return row && { id: wallet.id, name: wallet.name, last_refusal: refusal, ...row };
  }

  /**
   * Whether an order may use the wallet: always when it was not refused; after a rest, one order at a time tries it. Null when not.
   */
  async takeTurn(wallet: WalletRow, db?: Queryable): Promise<Turn | null> {
    return wallet.refusals === 0 ? { turn: null } : this.rows.takeTurn(wallet.id, db);
  }

  /** The order was not written, so its try says nothing of the wallet: the next order may try. */
  async giveBack(wallet: WalletRow, { turn }: Turn): Promise<void> {
    if (turn !== null) await this.rows.giveBack(wallet.id, turn);
  }

  /** A block includes these. Called last in its transaction: an order that waits for a wallet's lock holds an account's. */
  async worked(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void> {
    const ids = rows.map(({ id }) => id);
    for (const name of await this.rows.worked(tx, ids)) {
      tx.afterCommit(() => this.logger.warn(`The wallet ${name} works again and takes orders`));
    }
  }

  /**
   * In the transaction that saves the next reclaim. A wallet whose reclaims are refused sends one at a time: that one shows when they
   * are accepted again, and the others wait for it.
   */
  async mayReclaim(tx: SqlTransaction, wallet: WalletRow, orderId: string): Promise<boolean> {
    if (wallet.refusals === 0 || wallet.last_refusal?.purpose !== 'reclaim') return true;
    const isRefused = await this.rows.lockForReclaim(tx, wallet.id, orderId);
    return !isRefused || !(await this.rows.isReclaimUnderWay(tx, wallet.id));
  }

  /** Wallets whose reclaims are refused and of which one is under way. */
  async waitingToReclaim(): Promise<string[]> {
    return this.rows.findWaitingToReclaim();
  }
}
