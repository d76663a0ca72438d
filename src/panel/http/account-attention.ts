import { Injectable } from '@nestjs/common';
import { BalanceService } from '../../balance/balance.service';
import { WebhookService } from '../../webhooks/webhook.service';

/** What a user is told on every page until it is put right. */
export interface Attention {
  /** What can be spent is below the user's own threshold. */
  readonly lowBalance: { readonly availableSun: bigint; readonly thresholdSun: bigint } | null;
  /** Webhooks that the service has disabled. */
  readonly stoppedWebhooks: number;
}

@Injectable()
export class AccountAttention {
  constructor(
    private readonly balances: BalanceService,
    private readonly webhooks: WebhookService,
  ) {}

  async read(userId: string): Promise<Attention> {
    const [balance, stoppedWebhooks] = await Promise.all([
      this.balances.getBalance(userId),
      this.webhooks.countStopped(userId),
    ]);
    const { availableSun, lowBalanceSun: thresholdSun } = balance;
    const isLow = thresholdSun !== null && availableSun < thresholdSun;
    return { lowBalance: isLow ? { availableSun, thresholdSun } : null, stoppedWebhooks };
  }
}
