import type { Client } from 'pg';
import type { Kernel } from '../kernel/kernel';
import type { SimChain } from '../network/sim-chain';
import { CareChecker } from './care-checker';
import type { Instances } from './instances';
import type { Plan } from './plan';
import type { Setting } from './setup';
import { type StakeAction, StakeActs } from './stake-acts';
import { StakeTruth } from './stake-truth';
import type { Tally } from './tally';

/** Wallets with stake care: what happens to their stake, and whether all is right with it. */
export class CaredStakes {
  private readonly truth: StakeTruth;
  private readonly acts: StakeActs;
  /** Null where no wallet has care. */
  private checker: CareChecker | null = null;

  constructor(
    private readonly kernel: Kernel,
    private readonly chain: SimChain,
    private readonly database: Client,
    private readonly plan: Plan,
    instances: Instances,
    tally: Tally,
  ) {
    this.truth = new StakeTruth(database, chain);
    this.acts = new StakeActs(chain, this.truth, (at) => instances.at(at), tally);
  }

  begin(setting: Setting, violated: (what: string) => void): void {
    const { kernel, chain, database, plan, truth } = this;
    if (plan.care) this.checker = new CareChecker({ kernel, chain, database, plan, truth, setting, violated });
  }

  carryOut(action: StakeAction, setting: Setting): Promise<void> {
    return this.acts.carryOut(action, setting);
  }

  /** The chain has changed, or what is to be in its next block. */
  see(): void {
    this.checker?.see();
  }

  async check(): Promise<void> {
    await this.checker?.check();
  }

  mayBeShort(address: string): boolean {
    return this.checker?.mayBeShort(address) ?? false;
  }
}
