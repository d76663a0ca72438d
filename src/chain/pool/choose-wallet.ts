import { Injectable, Logger } from '@nestjs/common';
import { MOST_WRITTEN_TOGETHER } from '../../database/batched-write';
import { SharedRead } from '../../database/shared-read';
import { ServiceError } from '../../common/service.error';
import { Sql, type SqlTransaction } from '../../database/sql';
import { SigningKeyError, SigningKeys } from '../signing-keys';
import { canActivateOneMore, canPayOneMore } from './fees';
import { ACTIVATION_WALLETS, ACTIVATION_WALLET_NOW, LOCK_WALLET, OPEN_WALLETS, WALLET_COUNTS } from './pool.statements';
import { RefusedWallets } from './refused-wallets';
import { freeSun, keyOwner, type WalletRow } from './wallet-row';

type Row = WalletRow & Record<string, unknown>;

/** Picks the wallet of an order. */
@Injectable()
export class ChooseWallet {
  private readonly logger = new Logger(ChooseWallet.name);
  private readonly open: SharedRead<Row[]>;
  /** Orders of this process that are being written, by wallet. */
  private readonly underWay = new Map<string, number>();

  constructor(
    private readonly sql: Sql,
    private readonly keys: SigningKeys,
    private readonly refused: RefusedWallets,
  ) {
    this.open = new SharedRead(() => this.sql.rows<Row>(OPEN_WALLETS));
  }

  /**
   * From the rows as they are, without a lock: the order's transaction then takes the stake or fails (see reservations.ts).
   * `work` writes the order; until it ends, the wallet counts as busy.
   * @throws ServiceError INSUFFICIENT_ENERGY when no single wallet covers the stake, PAUSED when none takes orders.
   */
  async delegating<T>(stakeSun: bigint, work: (wallet: WalletRow) => Promise<T>): Promise<T> {
    const wallet = await this.bestFit(stakeSun);
    this.underWay.set(wallet.id, this.ordersAt(wallet) + 1);
    try {
      return await work(wallet);
    } finally {
      this.underWay.set(wallet.id, this.ordersAt(wallet) - 1);
    }
  }

  /** The chosen row stays locked to the end of the transaction. @throws ServiceError ACTIVATION_UNAVAILABLE */
  async activating(tx: SqlTransaction): Promise<WalletRow> {
    for (const { id } of await tx.rows<{ id: string }>(ACTIVATION_WALLETS)) {
      if (this.refused.rests(id) || !(await tx.row(LOCK_WALLET, [id]))) continue;
      const wallet = await tx.row<Row>(ACTIVATION_WALLET_NOW, [id]);
      if (wallet && canActivateOneMore(wallet) && !this.keyFault(wallet)) return wallet;
    }
    throw new ServiceError('ACTIVATION_UNAVAILABLE', 'no activation wallet can pay for one more activation');
  }

  private async bestFit(stakeSun: bigint): Promise<WalletRow> {
    // Those that go out together with others are no reason to look elsewhere: only who waits behind a full batch is.
    const batchesAt = (wallet: WalletRow) => Math.floor(this.ordersAt(wallet) / MOST_WRITTEN_TOGETHER);
    let fitting = (await this.open.get()).filter((wallet) => freeSun(wallet) >= stakeSun && canPayOneMore(wallet));
    let keyFault: SigningKeyError | null = null;
    for (;;) {
      const wallet = tightestFit(fitting, batchesAt);
      if (!wallet) break;
      const fault = this.keyFault(wallet);
      if (!fault) return wallet;
      keyFault ??= fault;
      fitting = fitting.filter((other) => other !== wallet);
    }
    if (keyFault) throw keyFault;
    const counts = await this.sql.row<{ delegating: bigint; active: bigint; all_paused: boolean }>(WALLET_COUNTS);
    const paused = counts !== null && (counts.all_paused || (counts.delegating > 0n && counts.active === 0n));
    throw new ServiceError(paused ? 'PAUSED' : 'INSUFFICIENT_ENERGY', `no wallet can delegate ${stakeSun} sun`);
  }

  private ordersAt(wallet: WalletRow): number {
    return this.underWay.get(wallet.id) ?? 0;
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

/**
 * The least free stake that is enough, so that large ones stay whole for large orders. A busy wallet is passed over for one
 * less busy, but never for the one that decides the largest order possible.
 */
export function tightestFit(fitting: readonly WalletRow[], busy: (wallet: WalletRow) => number): WalletRow | null {
  const byFree = fitting.toSorted((a, b) => (freeSun(a) < freeSun(b) ? -1 : freeSun(a) > freeSun(b) ? 1 : 0));
  const passable = byFree.length > 1 ? byFree.slice(0, -1) : byFree;
  let best: WalletRow | null = null;
  for (const wallet of passable) if (!best || busy(wallet) < busy(best)) best = wallet;
  return best;
}
