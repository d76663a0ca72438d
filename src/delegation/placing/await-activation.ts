import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import type { BlockId } from '../../chain/proof/block-header';
import type { Refusal } from '../../chain/tron/node/broadcast-outcome';
import { InclusionWatch } from '../../chain/observer/inclusion-watch';
import { Outbox } from '../../chain/transactions/outbox/outbox';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { Clock } from '../../common/clock';
import { WalletRefusals } from '../../findings/wallet-refusals';
import { ACTIVATION } from '../transaction-kinds';
import { failed, type OrderFailure } from './order-outcome';
import { OrderTransactionRepository } from './order-transaction.repository';
import type { ActivatingOrder } from './planned-order';

type SignedActivation = NonNullable<ActivatingOrder['activation']>;

const LOOK_MS = 500;
const WITHDRAWN = failed('ACTIVATION_UNAVAILABLE', "another order's activation was refused");

/** Sends the activation of an order's receiver, if it is the order's own, and waits for its block. */
@Injectable()
export class AwaitActivation {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly inclusion: InclusionWatch,
    private readonly outbox: Outbox,
    private readonly transactions: OrderTransactionRepository,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly walletRefusals: WalletRefusals,
    private readonly clock: Clock,
  ) {}

  async block({ activation, activationTxId: txId }: ActivatingOrder): Promise<BlockId | OrderFailure> {
    const wait = this.inclusion.expect(txId);
    const ended = new AbortController();
    try {
      const { answerTimeoutMs } = this.configuration.delegation;
      const answerByMs = this.clock.monotonicMs() + answerTimeoutMs;
      const sent = activation && (await this.outbox.send(activation.transaction.signed, { answerByMs }));
      const outcome = sent?.outcome;
      if (outcome?.kind === 'refused') return await this.refused(activation!, outcome, sent!.confirmed);
      const accepted = outcome?.kind === 'accepted' ? activation!.transaction.signed : null;
      // Another order's activation may have been seen between the reading of its row and the start of this wait.
      const block =
        (await this.decided(txId)) ??
        (await Promise.race([
          this.inclusion.within(answerTimeoutMs, wait, accepted),
          this.pollDecided(txId, ended.signal),
        ])) ??
        (await this.decided(txId));
      return block ?? failed('OUTCOME_UNKNOWN', 'the activation was in no block in time');
    } finally {
      ended.abort();
      wait.end();
    }
  }

  private async refused(
    { transaction: { signed }, payer }: SignedActivation,
    outcome: Refusal,
    confirmed: Refusal | null,
  ): Promise<OrderFailure> {
    const reason = `activation ${outcome.code}: ${outcome.message}`;
    if (outcome.elsewhere) return failed('NODE_UNAVAILABLE', reason);
    const withdrawn = await this.transactions.withdrawActivation(signed.txId);
    if (withdrawn) await this.walletRefusals.note(payer, ACTIVATION, signed.txId, confirmed);
    return failed('ACTIVATION_UNAVAILABLE', reason, reason);
  }

  /** The block that holds it, or the failure once its order was answered with a refusal; null while neither is known. */
  private async decided(txId: string): Promise<BlockId | OrderFailure | null> {
    const row = await this.transactions.findActivation(txId);
    if (!row?.block_id) return row?.withdrawn ? WITHDRAWN : null;
    const block = { number: Number(row.block_number), id: row.block_id };
    return row.state === 'final' || !this.referenceBlocks.contradicts(block) ? block : null;
  }

  /** Another order's activation may be refused while this order waits for it, on any instance. */
  private async pollDecided(txId: string, ended: AbortSignal): Promise<BlockId | OrderFailure | null> {
    for (;;) {
      await this.clock.sleep(LOOK_MS, ended);
      if (ended.aborted) return null;
      const decided = await this.decided(txId).catch(() => null);
      if (decided) return decided;
    }
  }
}
