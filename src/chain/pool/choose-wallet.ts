import { Injectable, Logger } from '@nestjs/common';
import { ServiceError } from '../../common/service.error';
import type { SqlTransaction } from '../../database/sql';
import { SigningKeyError, SigningKeys } from '../signing-keys';
import { canActivateOneMore } from './fees';
import { ACTIVATION_WALLETS, ACTIVATION_WALLET_NOW, LOCK_WALLET, WALLET_COUNTS } from './pool.statements';
import { GIVE_BACK, RESERVE } from './reservation.statements';
import { keyOwner, type WalletRow } from './wallet-row';

type Row = WalletRow & Record<string, unknown>;

/** Picks the wallet of an order. The chosen row stays locked to the end of the transaction, so no two orders share a stake. */
@Injectable()
export class ChooseWallet {
  private readonly logger = new Logger(ChooseWallet.name);

  constructor(private readonly keys: SigningKeys) {}

  /**
   * The stake is reserved with it; reservations are freed when the wallet's are counted again (see capacity.ts).
   * @throws ServiceError INSUFFICIENT_ENERGY when no single wallet covers the stake, PAUSED when none takes orders.
   */
  async delegating(tx: SqlTransaction, stakeSun: bigint): Promise<WalletRow> {
    const unusable: string[] = [];
    let keyFault: SigningKeyError | null = null;
    for (;;) {
      const wallet = await tx.row<Row>(RESERVE, [stakeSun, unusable]);
      if (!wallet) break;
      const fault = this.keyFault(wallet);
      if (!fault) return wallet;
      keyFault ??= fault;
      await tx.execute(GIVE_BACK, [wallet.id, stakeSun]);
      unusable.push(wallet.id);
    }
    if (keyFault) throw keyFault;
    const counts = await tx.row<{ delegating: bigint; active: bigint; all_paused: boolean }>(WALLET_COUNTS);
    const paused = counts !== null && (counts.all_paused || (counts.delegating > 0n && counts.active === 0n));
    throw new ServiceError(paused ? 'PAUSED' : 'INSUFFICIENT_ENERGY', `no wallet can delegate ${stakeSun} sun`);
  }

  /** @throws ServiceError ACTIVATION_UNAVAILABLE */
  async activating(tx: SqlTransaction): Promise<WalletRow> {
    for (const { id } of await tx.rows<{ id: string }>(ACTIVATION_WALLETS)) {
      if (!(await tx.row(LOCK_WALLET, [id]))) continue;
      const wallet = await tx.row<Row>(ACTIVATION_WALLET_NOW, [id]);
      if (wallet && canActivateOneMore(wallet) && !this.keyFault(wallet)) return wallet;
    }
    throw new ServiceError('ACTIVATION_UNAVAILABLE', 'no activation wallet can pay for one more activation');
  }

  private keyFault(wallet: WalletRow): SigningKeyError | null {
    try {
      this.keys.keyOf(keyOwner(wallet));
      return null;
    } catch (error) {
      if (!(error instanceof SigningKeyError)) throw error;
      this.logger.error(error.message);
      return error;
    }
  }
}
