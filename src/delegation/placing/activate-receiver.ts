import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { BlockFollower } from '../../chain/follower/block-follower';
import { InclusionWaiters, type SeenIn } from '../../chain/follower/inclusion-waiters';
import { Outbox } from '../../chain/outbox/outbox';
import type { OutboxRow } from '../../chain/outbox/outbox-row';
import { ReferenceBlocks } from '../../chain/reference-blocks';
import type { SignedTransaction } from '../../chain/signing/signed-transaction';
import { Clock } from '../../common/clock';
import type { ErrorCode } from '../../common/errors/error-codes';
import { Sql } from '../../database/sql';
import { Leases } from '../leases';
import { SIGNED_AFTER_ACTIVATION } from '../order.statements';
import { statesBefore } from '../order.states';
import { WalletRefusals } from '../wallet-refusals';
import type { OrderClaim } from './answer-order';
import type { WrittenOrder } from './create-order';
import { OrderAttempt } from './order-attempt';
import { ACTIVATION, WITHDRAW_ACTIVATION } from './order-transaction.statements';

type Activating = Extract<WrittenOrder, { kind: 'activating' }>;
type SignedActivation = NonNullable<Activating['activation']>;
type Failed = { readonly failure: ErrorCode; readonly reason: string; readonly refused?: boolean };
type Activated = { readonly delegation: SignedTransaction; readonly signedMs: number } | Failed;

const LOOK_MS = 500;
const WITHDRAWN: Failed = { failure: 'ACTIVATION_UNAVAILABLE', reason: "another order's activation was refused" };

/** Brings the receiver into being, then signs the delegation on the block that holds it: it can land only where the receiver exists. */
@Injectable()
export class ActivateReceiver {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly sql: Sql,
    private readonly outbox: Outbox,
    private readonly waiters: InclusionWaiters,
    private readonly follower: BlockFollower,
    private readonly references: ReferenceBlocks,
    private readonly rows: OrderAttempt,
    private readonly leases: Leases,
    private readonly clock: Clock,
    private readonly walletRefusals: WalletRefusals,
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

  private async sendAndWait(written: Activating): Promise<SeenIn | Failed> {
    const wait = this.waiters.add(written.activationTxId);
    const ended = new AbortController();
    this.follower.wake();
    try {
      const refused = written.activation && (await this.send(written.activation));
      if (refused) return refused;
      // Another order's activation may have been seen between the reading of its row and the start of this wait.
      const block =
        (await this.decided(written.activationTxId)) ??
        (await Promise.race([
          wait.within(this.configuration.delegation.answerTimeoutMs),
          this.withdrawn(written.activationTxId, ended.signal),
        ])) ??
        (await this.decided(written.activationTxId));
      return block ?? { failure: 'OUTCOME_UNKNOWN', reason: 'the activation was in no block in time' };
    } finally {
      ended.abort();
      wait.end();
    }
  }

  /** Null unless it was refused. */
  private async send({ signed: activation, payer }: SignedActivation): Promise<Failed | null> {
    const { outcome } = await this.outbox.send(activation);
    if (outcome.kind !== 'refused') return null;
    const reason = `activation ${outcome.code}: ${outcome.message}`;
    if (outcome.elsewhere) return { failure: 'NODE_UNAVAILABLE', reason };
    const withdrawn = await this.sql.row(WITHDRAW_ACTIVATION, [activation.txId]);
    if (withdrawn) await this.walletRefusals.note(payer, 'activation', activation.txId, outcome);
    return { failure: 'ACTIVATION_UNAVAILABLE', reason, refused: true };
  }

  /** The block that holds it, or that its order was told of a refusal; null while neither is known. */
  private async decided(txId: string): Promise<SeenIn | Failed | null> {
    const row = await this.sql.row<OutboxRow & { withdrawn: boolean } & Record<string, unknown>>(ACTIVATION, [txId]);
    if (row?.block_id) return { number: Number(row.block_number), id: row.block_id };
    return row?.withdrawn ? WITHDRAWN : null;
  }

  /** Another order's activation may be refused while this order waits for it, on any instance. */
  private async withdrawn(txId: string, ended: AbortSignal): Promise<SeenIn | Failed | null> {
    for (;;) {
      await this.clock.sleep(LOOK_MS, ended);
      if (ended.aborted) return null;
      const decided = await this.decided(txId).catch(() => null);
      if (decided) return decided;
    }
  }
}
