import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import type { WalletRow } from './wallet-row';

const FIRST_RETRY_MS = 1_000;
/** A little less than between two renewals while orders come, so that each of them tries these wallets too. */
const LONGEST_RETRY_MS = 50_000;
/** The last reading may be used for this long after a first failure: what a wallet has left changes slowly but for our own orders. */
const USABLE_MS = 120_000;

interface Failure {
  readonly sinceMs: number;
  retryMs: number;
  retryAtMs: number;
}

/**
 * Wallets for which no node gives a usable answer, while the nodes answer other questions. After two minutes they take no orders in
 * this process, because what they have left is unknown. They are retried separately, so that no order waits for them.
 */
@Injectable()
export class UnreadWallets {
  private readonly logger = new Logger(UnreadWallets.name);
  private readonly failures = new Map<string, Failure>();

  constructor(private readonly clock: Clock) {}

  has(walletId: string): boolean {
    return this.failures.has(walletId);
  }

  /** Its last reading is too old to lend by. */
  isStale(walletId: string): boolean {
    const failure = this.failures.get(walletId);
    return failure !== undefined && this.clock.monotonicMs() - failure.sinceMs > USABLE_MS;
  }

  mayRetry(walletId: string): boolean {
    return (this.failures.get(walletId)?.retryAtMs ?? 0) <= this.clock.monotonicMs();
  }

  failed({ id, name }: WalletRow, reason: string): void {
    const before = this.failures.get(id);
    const retryMs = before ? Math.min(LONGEST_RETRY_MS, before.retryMs * 2) : FIRST_RETRY_MS;
    const nowMs = this.clock.monotonicMs();
    this.failures.set(id, { sinceMs: before?.sinceMs ?? nowMs, retryMs, retryAtMs: nowMs + retryMs });
    if (!before)
      this.logger.error(
        `The wallet ${name} cannot be read; after ${USABLE_MS / 60_000} minutes it takes no orders until it can: ${reason}`,
      );
  }

  wasRead({ id, name }: WalletRow): void {
    if (this.failures.delete(id)) this.logger.warn(`The wallet ${name} can be read again`);
  }
}
