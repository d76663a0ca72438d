import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { OperationRepository } from './operation.repository';
import type { OperationRow, OperationState } from './stake-operation';

const LOOK_MS = 300;
/** Bytes expire after a minute, and are proved never to land another one later. */
const PATIENCE_MS = 180_000;
/** There is nothing more to wait for. */
const ENDED: readonly OperationState[] = ['refused', 'included', 'final', 'failed'];

/** Waits for what a running instance records of an operation. */
@Injectable()
export class AwaitOperation {
  constructor(
    private readonly operations: OperationRepository,
    private readonly clock: Clock,
  ) {}

  /** As it is once a block has it or it has failed, or as it is after three minutes. */
  async block(id: string): Promise<OperationRow> {
    const untilMs = this.clock.monotonicMs() + PATIENCE_MS;
    for (;;) {
      const operation = (await this.operations.find(id))!;
      if (ENDED.includes(operation.state) || this.clock.monotonicMs() > untilMs) return operation;
      await this.clock.sleep(LOOK_MS);
    }
  }
}
