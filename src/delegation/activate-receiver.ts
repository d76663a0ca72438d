import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { BlockFollower } from '../chain/follower/block-follower';
import { InclusionWaits, type SeenIn } from '../chain/follower/inclusion-waits';
import { Outbox } from '../chain/outbox/outbox';
import type { OutboxRow } from '../chain/outbox/outbox-row';
import { ReferenceBlocks } from '../chain/reference-blocks';
import type { SignedTransaction } from '../chain/signed-transaction';
import { Clock } from '../common/clock';
import type { ErrorCode } from '../common/error-codes';
import { Sql } from '../database/sql';
import type { OrderClaim } from './answer-delegation';
import { SIGNED_AFTER_ACTIVATION } from './delegation.statements';
import { statesBefore } from './delegation.states';
import { Leases } from './leases';
import { ACTIVATION } from './order-transaction.statements';
import { OrderRows } from './order-rows';
import type { WrittenOrder } from './write-order';

type Activating = Extract<WrittenOrder, { kind: 'activating' }>;
type Activated =
  | { readonly delegation: SignedTransaction; readonly signedMs: number }
  | { readonly failure: ErrorCode; readonly reason: string };

/** Brings the receiver into being, then signs the delegation on the block that holds it: it can land only where the receiver exists. */
@Injectable()
export class ActivateReceiver {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly sql: Sql,
    private readonly outbox: Outbox,
    private readonly waits: InclusionWaits,
    private readonly follower: BlockFollower,
    private readonly references: ReferenceBlocks,
    private readonly rows: OrderRows,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  async activate(claim: OrderClaim, receiver: string, written: Activating): Promise<Activated> {
    const block = await this.sendAndWait(written);
    if ('failure' in block) return block;
    const reference = await this.references.onTopOf(block);
    const signedMs = this.clock.monotonicMs();
    const signed = await this.rows.signDelegation(written, receiver, reference);
    const delegation = await this.sql.transaction(async (tx) => {
      const values = [claim.id, statesBefore('pending'), claim.epoch, this.leases.requestMs(false)];
      if ((await tx.execute(SIGNED_AFTER_ACTIVATION, values)) === 0) return null;
      await this.rows.saveDelegation(tx, written, receiver, signed);
      return signed;
    });
    return delegation
      ? { delegation, signedMs }
      : { failure: 'OUTCOME_UNKNOWN', reason: 'the order was given up while its receiver was activated' };
  }

  private async sendAndWait(written: Activating): Promise<SeenIn | Extract<Activated, { failure: ErrorCode }>> {
    const wait = this.waits.expect(written.activationTxId);
    this.follower.wake();
    try {
      if (written.activation) {
        const { outcome } = await this.outbox.send(written.activation);
        if (outcome.kind === 'refused') {
          const reason = `activation ${outcome.code}: ${outcome.message}`;
          return { failure: outcome.elsewhere ? 'NODE_UNAVAILABLE' : 'ACTIVATION_UNAVAILABLE', reason };
        }
      }
      // Another order's activation may have been seen between the reading of its row and the start of this wait.
      const block =
        (await this.blockOfRow(written.activationTxId)) ??
        (await wait.within(this.configuration.delegation.answerTimeoutMs)) ??
        (await this.blockOfRow(written.activationTxId));
      return block ?? { failure: 'OUTCOME_UNKNOWN', reason: 'the activation was in no block in time' };
    } finally {
      wait.end();
    }
  }

  private async blockOfRow(txId: string): Promise<SeenIn | null> {
    const row = await this.sql.row<OutboxRow & Record<string, unknown>>(ACTIVATION, [txId]);
    return row?.block_id ? { number: Number(row.block_number), id: row.block_id } : null;
  }
}
