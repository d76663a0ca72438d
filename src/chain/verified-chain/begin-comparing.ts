import { Injectable, Logger } from '@nestjs/common';
import { ReferenceBlocks } from './reference-blocks';
import { COMPARED_AFTER_MS } from './remembered-final';
import { DatabaseIdentity } from '../../database/identity/database-identity';

/**
 * After a promotion, a restore or a pause, rows may be missing: an order that they call lent may have been taken back. From now on the
 * stake of each such order is compared with the chain before it is taken back. An undelegation that a missing row has signed lands or
 * expires within the lifetime of its bytes: only blocks after that count, and until then these orders wait.
 */
@Injectable()
export class BeginComparing {
  private readonly logger = new Logger(BeginComparing.name);
  private isBehind = false;

  constructor(
    private readonly identity: DatabaseIdentity,
    private readonly referenceBlocks: ReferenceBlocks,
  ) {}

  /** Once the chain's final block was compared with the one that the database remembers: a lower one there is a reason, too. */
  async beginIfNeeded(timeMs: number): Promise<void> {
    if (this.referenceBlocks.rememberedNumber() === null || !(await this.identity.needsComparing())) return;
    const { number } = this.referenceBlocks.lastHead()!;
    if (!(await this.identity.beginComparing({ number, timeMs }, COMPARED_AFTER_MS))) return this.noteBehind();
    this.isBehind = false;
    this.logger.warn(
      `The database may lack its latest rows (a promotion, a restore, a pause): what was lent up to block ${number} is compared with the chain before it is taken back`,
    );
  }

  /** Once while it lasts. */
  private async noteBehind(): Promise<void> {
    const wasBehind = this.isBehind;
    this.isBehind = await this.identity.needsComparing();
    if (this.isBehind && !wasBehind) {
      this.logger.warn(
        "The database may lack its latest rows, and the chain as the nodes show it is more than two minutes behind the database's clock: nothing is taken back until it is not",
      );
    }
  }
}
