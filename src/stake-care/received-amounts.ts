import { Injectable, Logger } from '@nestjs/common';
import { StakeReads } from '../chain/tron/node/stake-reads';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { DAY_MS } from './care-periods';
import { OperationRepository } from './operation.repository';
import type { OperationRow } from './stake-operation';

/**
 * What final claims and withdrawals have brought, and what unfreezings and their ends have paid out. No block proves it: every node that has the transaction has to say the same. It changes no
 * money of the service, only what is shown as earned.
 */
@Injectable()
export class ReceivedAmounts {
  private readonly logger = new Logger(ReceivedAmounts.name);

  constructor(
    private readonly reads: StakeReads,
    private readonly references: ReferenceBlocks,
    private readonly operations: OperationRepository,
  ) {}

  /** Asks again with the next run for an amount that is not known yet, until it is a day old; once at least, also after a longer pause. */
  async record(): Promise<void> {
    for (const operation of await this.operations.unpaid())
      await this.recordOne(operation).catch((error: unknown) =>
        this.logger.warn(
          { err: error, operation: operation.id },
          'What an operation on stake has brought is not known yet',
        ),
      );
    const nowMs = this.references.lastTimeMs();
    if (nowMs !== null) await this.operations.giveUpUnpaid(nowMs - DAY_MS);
  }

  private async recordOne({ id, tx_id: txId }: OperationRow): Promise<void> {
    const said = await this.reads.received(txId!);
    const [sun] = said;
    if (sun === undefined) return;
    if (said.some((one) => one !== sun)) throw new Error(`the nodes say different amounts: ${said.join(', ')}`);
    await this.operations.paid(id, sun);
  }
}
