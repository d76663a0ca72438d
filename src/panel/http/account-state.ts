import { Injectable } from '@nestjs/common';
import { BalanceService } from '../../balance/balance.service';
import { FindingRepository } from '../../findings/finding.repository';
import { WebhookService } from '../../webhooks/webhook.service';
import type { PanelUser } from './visit';

/** What a user is told on every page until it is put right. */
export interface AccountState {
  /** What can be spent is below the user's own threshold. */
  readonly lowBalance: { readonly availableSun: bigint; readonly thresholdSun: bigint } | null;
  /** Webhooks that the service has disabled. */
  readonly stoppedWebhooks: number;
  /** In the menu of operators; null for everybody else. */
  readonly openFindings: number | null;
}

@Injectable()
export class AccountStateReader {
  constructor(
    private readonly balances: BalanceService,
    private readonly webhooks: WebhookService,
    private readonly findings: FindingRepository,
  ) {}

  async read({ id: userId, operator }: PanelUser): Promise<AccountState> {
    const [balance, stoppedWebhooks, openFindings] = await Promise.all([
      this.balances.getBalance(userId),
      this.webhooks.countStopped(userId),
      operator ? this.findings.countOpen() : null,
    ]);
    const { availableSun, lowBalanceSun: thresholdSun } = balance;
    const isLow = thresholdSun !== null && availableSun < thresholdSun;
    return { lowBalance: isLow ? { availableSun, thresholdSun } : null, stoppedWebhooks, openFindings };
  }
}
