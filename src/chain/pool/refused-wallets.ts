import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';

const REST_MS = 5 * 60_000;

/**
 * Wallets whose own transactions a node refused (a permission that lacks, TRX that are gone): they rest, so that the next order
 * takes another wallet. In memory: every instance finds out by itself, and again after each rest.
 */
@Injectable()
export class RefusedWallets {
  private readonly logger = new Logger(RefusedWallets.name);
  private readonly restUntilMs = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  rests(walletId: string): boolean {
    return (this.restUntilMs.get(walletId) ?? 0) > this.clock.monotonicMs();
  }

  refused(walletId: string, reason: string): void {
    this.restUntilMs.set(walletId, this.clock.monotonicMs() + REST_MS);
    this.logger.error(
      { wallet: walletId },
      `A wallet was refused and rests for ${REST_MS / 60_000} minutes: ${reason}`,
    );
  }
}
