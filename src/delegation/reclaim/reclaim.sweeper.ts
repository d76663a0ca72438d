import { Injectable, Logger } from '@nestjs/common';
import { StakeMoves } from '../../chain/pool/wallets/stake-moves';
import { withCallPriority } from '../../chain/tron/node/call-priority';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { SigningKeyError } from '../../chain/transactions/signing/signing-keys';
import { WalletRests } from '../../chain/pool/wallets/wallet-rests';
import { WalletsWithoutKey } from '../../chain/pool/wallets/wallets-without-key';
import { Shutdown } from '../../common/shutdown';
import { RECLAIM_LEASE_MS } from '../leases';
import { BeginComparing } from '../../chain/verified-chain/begin-comparing';
import { ReclaimOrder } from './reclaim-order';
import { ReclaimRepository } from './reclaim.repository';
import type { DueOrder } from './reclaim.statements';

export interface Sweep {
  readonly due: number;
  readonly sent: number;
  readonly failed: number;
}

const BATCH = 20;
const AT_ONCE = 5;
/** An instance that has the key would have taken it by then. */
const OVERDUE_MS = 30_000;

/**
 * Takes back everything that is due by the time of the verified chain. One failing order backs off
 * and stays visible; it never delays another. When the service ends, the orders in hand are finished, and no other is begun.
 */
@Injectable()
export class ReclaimSweeper {
  private readonly logger = new Logger(ReclaimSweeper.name);

  constructor(
    private readonly reclaims: ReclaimRepository,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly comparing: BeginComparing,
    private readonly reclaimOrder: ReclaimOrder,
    private readonly shutdown: Shutdown,
    private readonly rests: WalletRests,
    private readonly withoutKey: WalletsWithoutKey,
    private readonly moves: StakeMoves,
  ) {}

  async sweep(): Promise<Sweep> {
    const timeMs = await this.referenceBlocks.headTimeMs();
    // Also while nothing is due, so that the wait for the blocks that count is over when something is.
    await this.comparing.beginIfNeeded(timeMs);
    const { due, at: begunAt } = await this.reclaims.countDue(timeMs);
    const finalMs = this.referenceBlocks.lastFinal()!.timeMs;
    if (due === 0) this.moves.forget();
    if (due === 0) return { due, sent: 0, failed: 0 };
    const { signal } = this.shutdown;
    let sent = 0;
    let failed = 0;
    // Orders of resting wallets would fail, or wait, one after the other, while what others have lent is due.
    const waiting = new Set(await this.rests.waitingToReclaim());
    const keyless = await this.leftToOthers(timeMs);
    for (;;) {
      if (signal.aborted) return { due, sent, failed };
      // A batch has at most what its lease surely covers.
      const claimed = await this.reclaims.claimDue(timeMs, BATCH, RECLAIM_LEASE_MS, waiting, begunAt, keyless, finalMs);
      for (let at = 0; at < claimed.length; at += AT_ONCE) {
        if (signal.aborted) {
          await this.reclaims.giveBack(claimed.slice(at));
          break;
        }
        const results = await Promise.all(
          claimed.slice(at, at + AT_ONCE).map((order) => this.reclaimOne(order, waiting)),
        );
        sent += results.filter((result) => result === 'sent').length;
        failed += results.filter((result) => result === 'failed').length;
      }
      if (claimed.length < BATCH) return { due, sent, failed };
    }
  }

  /**
   * Wallets whose key this instance lacks, as when a deployment has reached only some: another may take their orders now, so none is
   * claimed here. An order that none of them takes says why.
   */
  private async leftToOthers(timeMs: number): Promise<readonly string[]> {
    const faults = await this.withoutKey.find();
    for (const [walletId, reason] of faults) {
      const noted = await this.reclaims.noteMissingKey(walletId, timeMs - OVERDUE_MS, reason);
      if (noted > 0)
        this.logger.error({ wallet: walletId, orders: noted }, `No instance takes back what is due: ${reason}`);
    }
    return [...faults.keys()];
  }

  private async reclaimOne(order: DueOrder, waiting: Set<string>): Promise<'sent' | 'waits' | 'failed'> {
    try {
      const reclaim = () => this.reclaimOrder.reclaim(order);
      const result = waiting.has(order.wallet_id) ? 'rests' : await withCallPriority('resends', reclaim);
      if (result !== 'rests') return result;
      waiting.add(order.wallet_id);
      await this.reclaims.lookAgain(order);
      return 'waits';
    } catch (error) {
      if (error instanceof SigningKeyError) waiting.add(order.wallet_id);
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.error({ delegation: order.id, err: error }, 'A reclaim failed; it is tried again later');
      await this.reclaims.failed(order, reason).catch((lost: unknown) => {
        // The lease runs out by itself; the order is due again then.
        this.logger.error({ delegation: order.id, err: lost }, 'A failed reclaim was not recorded');
      });
      return 'failed';
    }
  }
}
