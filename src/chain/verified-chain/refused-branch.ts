import type { Logger } from '@nestjs/common';
import type { Clock } from '../../common/clock';
import type { ChainFaultRepository } from './faults/chain-fault.repository';
import type { HeaderChain, UndoesFinalError } from '../proof/header-chain';
import type { RememberedFinal } from './remembered-final';

/** So often, a refusal is looked for that another process has left behind. */
const CLEAR_AGAIN_MS = 60_000;

/** A branch that undoes a final block, from when it is seen until this chain is longer or an operator accepts it: for operators, a fault. */
export class RefusedBranch {
  private refused: UndoesFinalError | null = null;
  private clearedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly remembered: RememberedFinal,
    private readonly faults: ChainFaultRepository,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  get error(): UndoesFinalError | null {
    return this.refused;
  }

  async refuse(error: UndoesFinalError, chain: HeaderChain | null): Promise<void> {
    const { final, head } = error;
    if (this.refused === null) {
      const isRefused = await this.remembered.refuse(final, chain);
      this.refused = error;
      // Accepted before this instance saw it: the next look begins anew.
      if (!isRefused) return;
      this.logger.error(`${error.message}: refused (chain:accept-branch ${error.head.id})`);
    }
    this.refused = error;
    await this.faults.report('branch_refused', {
      final_number: String(final.number),
      final_id: final.id,
      head_number: String(head.number),
      head_id: head.id,
    });
  }

  /** An operator has accepted it: the chain that is held is not gone by any more. */
  async isAccepted(chain: HeaderChain | null): Promise<boolean> {
    if (!this.refused || !(await this.remembered.isAccepted(chain))) return false;
    // It may have been reported once more while the operator decided.
    await this.faults.clear(['branch_refused']);
    return true;
  }

  /** The chain that is held has a new head. An instance that refuses a branch reports it again each time that it is shown. */
  async moved({ head }: HeaderChain): Promise<void> {
    const nowMs = this.clock.monotonicMs();
    if (this.refused && this.refused.head.number <= head.number) {
      await this.faults.clear(['branch_refused']);
      this.refused = null;
    } else if (!this.refused && nowMs - this.clearedAtMs >= CLEAR_AGAIN_MS) {
      await this.faults.clearOld('branch_refused');
      this.clearedAtMs = nowMs;
    }
  }

  forget(): void {
    this.refused = null;
  }
}
