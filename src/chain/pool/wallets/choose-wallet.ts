import { Injectable, Logger } from '@nestjs/common';
import { ServiceError } from '../../../common/errors/service.error';
import { formatTrx } from '../../../common/money/sun';
import { CoalescedRead } from '../../../database/coalesced-read';
import { CommitUnknownError } from '../../../database/commit-unknown.error';
import { MOST_WRITTEN_TOGETHER } from '../../../database/group-commit';
import type { SqlTransaction } from '../../../database/sql';
import { KeyPower } from '../doctor/key-power';
import { NodeUnavailableError } from '../../tron/node/node-errors';
import { JudgedKeys, UnjudgedKeyError } from '../../transactions/signing/judged-keys';
import type { SigningKeyError } from '../../transactions/signing/signing-keys';
import { canActivateOneMore, canPayOneMore } from './fees';
import { PoolWalletRepository } from './pool-wallet.repository';
import { UnreadWallets } from './unread-wallets';
import { type Turn, WalletRests } from './wallet-rests';
import { freeSun, keyOwner, type OpenWalletRow, type WalletRow } from './wallet-row';

/** Wallets that may have what an order wants could not be read, or their keys are not judged yet: it is not known what they can do. */
export class PoolUnreadError extends NodeUnavailableError {
  /** @param judging ends once their keys are judged; null when none is unjudged */
  constructor(
    wallets: readonly { readonly name: string }[],
    readonly judging: Promise<unknown> | null = null,
  ) {
    super(`what these wallets can do is not known: ${wallets.map(({ name }) => name).join(', ')}`);
    this.name = 'PoolUnreadError';
  }
}

/** Other orders, or an operator, took the payer of an activation between its choice and this order's write: choose again. */
export class PayerTakenError extends Error {}

/** What an order wants of the wallet that lends. */
export interface WantedStake {
  readonly stakeSun: bigint;
  readonly receiver: string;
  /** By wallet: those that did not sign this order. */
  readonly without?: ReadonlyMap<string, SigningKeyError>;
}

type Chosen = { readonly wallet: WalletRow } & Turn;

/** Chooses the wallet of an order. */
@Injectable()
export class ChooseWallet {
  private readonly logger = new Logger(ChooseWallet.name);
  private readonly open: CoalescedRead<OpenWalletRow[]>;
  /** By wallet: orders that this process is writing. */
  private readonly underWay = new Map<string, number>();

  constructor(
    private readonly wallets: PoolWalletRepository,
    private readonly keys: JudgedKeys,
    private readonly keyPower: KeyPower,
    private readonly rests: WalletRests,
    private readonly unread: UnreadWallets,
  ) {
    this.open = new CoalescedRead(() => this.wallets.findOpen());
  }

  /**
   * Chooses without a lock; the order's transaction then takes the stake or fails (reservations.ts). `work` writes the order; until it
   * ends, the wallet counts as busy.
   * @throws ServiceError INSUFFICIENT_ENERGY when no single wallet covers the stake for this receiver, PAUSED when none takes orders;
   * PoolUnreadError when one might cover it that cannot be read
   */
  async delegating<T>(wanted: WantedStake, work: (wallet: WalletRow) => Promise<T>): Promise<T> {
    const { wallet, turn } = await this.bestFit(wanted);
    this.underWay.set(wallet.id, this.ordersAt(wallet) + 1);
    try {
      return await work(wallet);
    } catch (error) {
      // After a commit without acknowledgement the order may have been written.
      if (!(error instanceof CommitUnknownError)) await this.rests.giveBack(wallet, { turn }).catch(() => undefined);
      throw error;
    } finally {
      this.underWay.set(wallet.id, this.ordersAt(wallet) - 1);
    }
  }

  /** Its key can be read and may be used, and nodes can still read the wallet. */
  isUsable(wallet: WalletRow): boolean {
    return this.whyUnusable(wallet) === null;
  }

  whyUnusable(wallet: WalletRow): 'unread' | 'key' | null {
    if (this.keys.faultOf(keyOwner(wallet))) return 'key';
    return this.isUnread(wallet) ? 'unread' : null;
  }

  /** @throws PoolUnreadError when one of these may have so much stake and was not read, or not for too long */
  requireRead(wallets: readonly WalletRow[], stakeSun: bigint): void {
    const mayHave = (wallet: WalletRow) => wallet.observed_at === null || wallet.stake_sun >= stakeSun;
    const unread = wallets.filter((wallet) => this.isUnread(wallet) && mayHave(wallet));
    if (unread.length > 0) throw new PoolUnreadError(unread);
  }

  /** The error that an order of this stake would get now; null when a wallet takes it. Reserves nothing. */
  async refusalOf(stakeSun: bigint): Promise<ServiceError | null> {
    try {
      await this.bestFit({ stakeSun });
      return null;
    } catch (error) {
      if (error instanceof ServiceError) return error;
      throw error;
    }
  }

  /**
   * A wallet that can pay for an activation now. Chosen without a lock, so that it can sign; `pay` decides in the order's transaction.
   * @throws ServiceError ACTIVATION_UNAVAILABLE; PoolUnreadError
   */
  async activating(): Promise<WalletRow> {
    const unread: WalletRow[] = [];
    const judging: Promise<void>[] = [];
    let passing: SigningKeyError | null = null;
    for (const id of await this.wallets.findActivating()) {
      const wallet = await this.wallets.readForActivation(id);
      if (wallet && this.isUnread(wallet)) unread.push(wallet);
      if (!wallet || this.isUnread(wallet) || !canActivateOneMore(wallet)) continue;
      if (this.keyPower.isUnjudged(wallet)) {
        // Not awaited here: the order's next try finds it judged.
        judging.push(this.keyPower.judge(wallet).catch(() => undefined));
        unread.push(wallet);
      }
      const fault = this.keyFault(wallet);
      if (!fault) return wallet;
      if (fault.code === 'SIGNER_UNAVAILABLE' && !(fault instanceof UnjudgedKeyError)) passing ??= fault;
    }
    if (passing) throw passing;
    if (unread.length > 0) throw new PoolUnreadError(unread, judging.length > 0 ? Promise.all(judging) : null);
    throw new ServiceError('ACTIVATION_UNAVAILABLE', 'no activation wallet can pay for one more activation');
  }

  /** It stays locked until the transaction ends. @throws PayerTakenError when it cannot pay any more, or signs by another key */
  async pay(tx: SqlTransaction, payer: WalletRow): Promise<void> {
    const isActive = await this.wallets.lock(tx, payer.id);
    const now = isActive ? await this.wallets.readForActivation(payer.id, tx) : null;
    const isSame = now?.key_source === payer.key_source && now.permission_id === payer.permission_id;
    if (!now || !isSame || !canActivateOneMore(now) || !(await this.rests.takeTurn(now, tx)))
      throw new PayerTakenError('the wallet no longer pays for the activation');
  }

  /** Without a receiver: closed pairs do not matter, and no wallet is tried out. */
  private async bestFit(wanted: Partial<WantedStake> & Pick<WantedStake, 'stakeSun'>): Promise<Chosen> {
    const { stakeSun, receiver, without = new Map<string, SigningKeyError>() } = wanted;
    // Orders written in one batch do not make a wallet busy; orders that wait for a full batch do.
    const batchesAt = (wallet: WalletRow) => Math.floor(this.ordersAt(wallet) / MOST_WRITTEN_TOGETHER);
    const open = await this.open.get();
    const read = open.filter((wallet) => !this.isUnread(wallet) && !without.has(wallet.id));
    let fitting = read.filter((wallet) => freeSun(wallet) >= stakeSun && canPayOneMore(wallet));
    let [keyFault = null]: Iterable<SigningKeyError | null> = without.values();
    for (;;) {
      const wallet = tightestFit(fitting, batchesAt);
      if (!wallet) break;
      if (this.keyPower.isUnjudged(wallet)) await this.keyPower.judge(wallet);
      const fault = this.keyFault(wallet);
      const taken = fault ? null : await this.takeTurn(wallet, receiver);
      if (taken) return { wallet, ...taken };
      keyFault ??= fault;
      fitting = fitting.filter((other) => other !== wallet);
    }
    if (keyFault) throw keyFault;
    const counts = await this.wallets.count();
    const paused = counts.all_paused || (counts.delegating > 0n && counts.active === 0n);
    if (!paused) this.requireRead(open, stakeSun);
    throw new ServiceError(
      paused ? 'PAUSED' : 'INSUFFICIENT_ENERGY',
      `no wallet can delegate ${formatTrx(stakeSun)} TRX to ${receiver ?? 'anybody'}`,
    );
  }

  /** Null when this wallet cannot be used. Without a receiver nothing is ordered, so no turn is taken. */
  private async takeTurn(wallet: OpenWalletRow, receiver?: string): Promise<Turn | null> {
    if (receiver === undefined) return { turn: null };
    return (await this.isClosed(wallet, receiver)) ? null : this.rests.takeTurn(wallet);
  }

  /** Stake of an earlier order is missing, and what is left of it has to be taken back first (closed-pairs.ts). */
  private async isClosed({ id, has_closed_pairs: hasClosed }: OpenWalletRow, receiver: string): Promise<boolean> {
    return hasClosed && this.wallets.isPairClosed(id, receiver);
  }

  private isUnread({ id, observed_at: at }: WalletRow): boolean {
    return at === null || this.unread.isStale(id);
  }

  private ordersAt(wallet: WalletRow): number {
    return this.underWay.get(wallet.id) ?? 0;
  }

  private keyFault(wallet: WalletRow): SigningKeyError | null {
    const fault = this.keys.faultOf(keyOwner(wallet));
    if (fault) this.logger.error(fault.message);
    return fault;
  }
}

/**
 * The wallet with the least free stake that is enough, so that large stakes stay whole for large orders. A busy wallet is passed over
 * for a less busy one, but never for the one with the most free stake, which limits the largest order possible.
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
