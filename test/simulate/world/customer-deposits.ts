import type { Client } from 'pg';
import type { Kernel } from '../kernel/kernel';
import type { SimChain } from '../network/sim-chain';
import type { WebhookServer } from '../network/webhook-server';
import { DepositChecker } from './deposit-checker';
import { type DepositAction, Payments } from './payments';
import type { Plan } from './plan';
import type { Setting } from './setup';
import type { Tally } from './tally';

/** What customers pay in: how it comes to the chain, and whether all is right with its credits. */
export class CustomerDeposits {
  private readonly payments: Payments;
  /** Null where deposits are off. */
  private checker: DepositChecker | null = null;

  constructor(
    kernel: Kernel,
    private readonly chain: SimChain,
    private readonly database: Client,
    private readonly plan: Plan,
    private readonly tally: Tally,
  ) {
    this.payments = new Payments(kernel, chain, database, tally);
  }

  async begin(setting: Setting, violated: (what: string) => void): Promise<void> {
    if (this.plan.settings['DEPOSIT_XPUB'] === undefined) return;
    await this.payments.begin(setting);
    const { chain, database, payments } = this;
    this.checker = new DepositChecker({ database, chain, payments, setting, violated });
  }

  carryOut(action: DepositAction, setting: Setting): Promise<void> {
    return this.payments.carryOut(action, setting);
  }

  async check(): Promise<void> {
    await this.checker?.check();
  }

  async openWork(): Promise<string | null> {
    return (await this.checker?.openWork()) ?? null;
  }

  async checkEnd(hooks: WebhookServer): Promise<string[]> {
    return (await this.checker?.checkEnd(hooks, this.tally)) ?? [];
  }
}
