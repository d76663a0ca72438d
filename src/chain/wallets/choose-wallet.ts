import { Injectable, Logger } from '@nestjs/common';
import { ServiceError } from '../../common/errors/service.error';
import { formatTrx } from '../../common/money/sun';
import { CoalescedRead } from '../../database/coalesced-read';
import { CommitUnknownError } from '../../database/commit-unknown.error';
import { MOST_WRITTEN_TOGETHER } from '../../database/group-commit';
import { Sql, type SqlTransaction } from '../../database/sql';
import { SigningKeyError, SigningKeys } from '../signing/signing-keys';
import { PAIR_IS_CLOSED } from './closed-pairs';
import { canActivateOneMore, canPayOneMore } from './fees';
import { ACTIVATION_WALLETS, ACTIVATION_WALLET_NOW, LOCK_WALLET, OPEN_WALLETS, WALLET_COUNTS } from './pool.statements';
import { UnreadWallets } from './unread-wallets';
import { type Turn, WalletRests } from './wallet-rests';
import { freeSun, keyOwner, type WalletRow } from './wallet-row';

type Row = WalletRow & Record<string, unknown>;
type OpenRow = Row & { has_closed_pairs: boolean };

/** Picks the wallet of an order. */
@Injectable()
export class ChooseWallet {
  private readonly logger = new Logger(ChooseWallet.name);
  private readonly open: CoalescedRead<OpenRow[]>;
  /** Orders of this process that are being written, by wallet. */
  private readonly underWay = new Map<string, number>();

  constructor(
    private readonly sql: Sql,
    private readonly keys: SigningKeys,
    private readonly rests: WalletRests,
    private readonly unread: UnreadWallets,
  ) {
    this.open = new CoalescedRead(() => this.sql.rows<OpenRow>(OPEN_WALLETS));
  }

  /**
   * From the rows as they are, without a lock: the order's transaction then takes the stake or fails (see reservations.ts).
   * `work` writes the order; until it ends, the wallet counts as busy.
   * @throws ServiceError INSUFFICIENT_ENERGY when no single wallet covers the stake for this receiver, PAUSED when none takes orders.
   */
  async delegating<T>(stakeSun: bigint, receiver: string, work: (wallet: WalletRow) => Promise<T>): Promise<T> {
    const { wallet, turn } = await this.bestFit(stakeSun, receiver);
    this.underWay.set(wallet.id, this.ordersAt(wallet) + 1);
    try {
      return await work(wallet);
    } catch (error) {
      // After a commit that nobody acknowledged the order may be there.
      if (!(error instanceof CommitUnknownError)) await this.rests.giveBack(wallet, { turn }).catch(() => undefined);
      throw error;
    } finally {
      this.underWay.set(wallet.id, this.ordersAt(wallet) - 1);
    }
  }

  /** Its key is here, and nodes can still read it. */
  isUsable(wallet: WalletRow): boolean {
    return !this.unread.isStale(wallet.id) && !this.keyFault(wallet);
  }

  /** What an order of this stake would be refused with now; null when a wallet takes it. Nothing is promised by asking. */
  async refusalOf(stakeSun: bigint): Promise<ServiceError | null> {
    try {
      await this.bestFit(stakeSun);
      return null;
    } catch (error) {
      if (error instanceof ServiceError) return error;
      throw error;
    }
  }

  /** The chosen row stays locked to the end of the transaction. @throws ServiceError ACTIVATION_UNAVAILABLE */
  async activating(tx: SqlTransaction): Promise<WalletRow> {
    for (const { id } of await tx.rows<{ id: string }>(ACTIVATION_WALLETS)) {
      if (this.unread.isStale(id) || !(await tx.row(LOCK_WALLET, [id]))) continue;
      const wallet = await tx.row<Row>(ACTIVATION_WALLET_NOW, [id]);
      if (!wallet || !canActivateOneMore(wallet) || this.keyFault(wallet)) continue;
      if (await this.rests.takeTurn(wallet, tx)) return wallet;
    }
    throw new ServiceError('ACTIVATION_UNAVAILABLE', 'no activation wallet can pay for one more activation');
  }

  /** For a receiver, or for any that no wallet is closed to. */
  private async bestFit(stakeSun: bigint, receiver?: string): Promise<{ wallet: WalletRow } & Turn> {
    // Those that go out together with others are no reason to look elsewhere: only who waits behind a full batch is.
    const batchesAt = (wallet: WalletRow) => Math.floor(this.ordersAt(wallet) / MOST_WRITTEN_TOGETHER);
    const open = (await this.open.get()).filter(({ id }) => !this.unread.isStale(id));
    let fitting = open.filter((wallet) => freeSun(wallet) >= stakeSun && canPayOneMore(wallet));
    let keyFault: SigningKeyError | null = null;
    for (;;) {
      const wallet = tightestFit(fitting, batchesAt);
      if (!wallet) break;
      const fault = this.keyFault(wallet);
      const taken = fault ? null : await this.takeTurn(wallet, receiver);
      if (taken) return { wallet, ...taken };
      keyFault ??= fault;
      fitting = fitting.filter((other) => other !== wallet);
    }
    if (keyFault) throw keyFault;
    const counts = await this.sql.row<{ delegating: bigint; active: bigint; all_paused: boolean }>(WALLET_COUNTS);
    const paused = counts !== null && (counts.all_paused || (counts.delegating > 0n && counts.active === 0n));
    throw new ServiceError(
      paused ? 'PAUSED' : 'INSUFFICIENT_ENERGY',
      `no wallet can delegate ${formatTrx(stakeSun)} TRX to ${receiver ?? 'anybody'}`,
    );
  }

  /** Null when another wallet has to be looked for. Who only asks takes no turn at a wallet that one order may try. */
  private async takeTurn(wallet: OpenRow, receiver?: string): Promise<Turn | null> {
    if (receiver === undefined) return { turn: null };
    return (await this.isClosed(wallet, receiver)) ? null : this.rests.takeTurn(wallet);
  }

  /** Stake of an earlier order is missing there, and has first to be taken back as far as it is there (closed-pairs.ts). */
  private async isClosed({ id, has_closed_pairs: hasClosed }: OpenRow, receiver: string): Promise<boolean> {
    return hasClosed && (await this.sql.row(PAIR_IS_CLOSED, [id, receiver])) !== null;
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
export function tightestFit<Wallet extends WalletRow>(
  fitting: readonly Wallet[],
  busy: (wallet: Wallet) => number,
): Wallet | null {
  const byFree = fitting.toSorted((a, b) => (freeSun(a) < freeSun(b) ? -1 : freeSun(a) > freeSun(b) ? 1 : 0));
  const passable = byFree.length > 1 ? byFree.slice(0, -1) : byFree;
  let best: Wallet | null = null;
  for (const wallet of passable) if (!best || busy(wallet) < busy(best)) best = wallet;
  return best;
}
