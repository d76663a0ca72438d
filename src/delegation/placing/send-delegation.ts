import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { refusedForStake, type Refusal } from '../../chain/tron/node/broadcast-outcome';
import { InclusionWatch } from '../../chain/observer/inclusion-watch';
import { FirstBroadcast } from '../../chain/transactions/outbox/first-broadcast';
import type { Sent } from '../../chain/transactions/outbox/outbox';
import type { SignedTransaction } from '../../chain/tron/node/signed-transaction';
import { WalletActivity } from '../../chain/pool/wallets/wallet-activity';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import { Clock } from '../../common/clock';
import type { ErrorCode } from '../../common/errors/error-codes';
import { DatabaseRetry } from '../database-retry';
import { Leases } from '../leases';
import { refusalText, WalletRefusals } from '../../findings/wallet-refusals';
import { DELEGATION } from '../transaction-kinds';
import { AnswerOrder } from './answer-order';
import { failed, isTaken, type OrderFailure, type OrderOutcome } from './order-outcome';
import { OrderTransactionRepository } from './order-transaction.repository';

/** The delegation names the newest solid block; what a node knew beyond that is solid so many blocks later. */
const BLOCKS_UNTIL_SOLID = 20;

/** Sends an order's committed delegation, and waits for its block where the answer does. */
@Injectable()
export class SendDelegation {
  private readonly logger = new Logger(SendDelegation.name);

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly inclusion: InclusionWatch,
    private readonly broadcaster: FirstBroadcast,
    private readonly answerOrder: AnswerOrder,
    private readonly transactions: OrderTransactionRepository,
    private readonly databaseRetry: DatabaseRetry,
    private readonly walletRefusals: WalletRefusals,
    private readonly leases: Leases,
    private readonly walletActivity: WalletActivity,
    private readonly clock: Clock,
  ) {}

  /** `claimedMs`: when the claim on the order began, or was renewed. */
  async send(
    orderId: string,
    wallet: WalletRow,
    delegation: SignedTransaction,
    claimedMs: number,
  ): Promise<OrderOutcome> {
    const wait = this.inclusion.expect(delegation.txId);
    try {
      const startedMs = this.clock.monotonicMs();
      // Stopped for longer than its claim: another instance may have answered with a failure.
      const claimEndsMs = claimedMs + this.leases.requestMs(false);
      if (startedMs > claimEndsMs) return failed('OUTCOME_UNKNOWN', 'the claim ran out before it was sent');
      const { answer, answerTimeoutMs } = this.configuration.delegation;
      const sent = await this.broadcaster.broadcast(delegation, answerTimeoutMs, claimEndsMs);
      const { outcome } = sent;
      // Recorded with the answer, in one commit.
      if (outcome.kind === 'accepted' && answer === 'accepted') return { kind: 'accepted', sent };
      await this.answerOrder.recordSent(orderId, sent);
      if (outcome.kind === 'refused') return await this.refused(orderId, wallet, sent, outcome);
      const leftMs = answerTimeoutMs - (this.clock.monotonicMs() - startedMs);
      const accepted = outcome.kind === 'accepted' ? delegation : null;
      const block = await this.inclusion.within(leftMs, wait, accepted, claimEndsMs);
      if (block) return { kind: 'included' };
      if (outcome.kind === 'accepted' || (await this.isTaken(orderId))) return { kind: 'accepted' };
      return failed('OUTCOME_UNKNOWN', `${outcome.code}: ${outcome.message}`);
    } finally {
      wait.end();
    }
  }

  /** No node's answer came, but a block has it, of which the wait was not told because it may never be final. */
  private async isTaken(orderId: string): Promise<boolean> {
    const row = await this.databaseRetry.throughOutage(() => this.transactions.findDelegation(orderId));
    return isTaken(row?.state);
  }

  private async refused(
    orderId: string,
    wallet: WalletRow,
    { signed: { txId, refBlock }, confirmed }: Sent,
    outcome: Refusal,
  ): Promise<OrderFailure> {
    const reason = refusalText(outcome);
    this.logger.error({ delegation: orderId, wallet: wallet.name }, `A delegation was refused: ${reason}`);
    // Somebody else has used the wallet: it is read again once that is solid.
    if (refusedForStake(outcome)) this.walletActivity.usedBy(wallet.id, refBlock.number + BLOCKS_UNTIL_SOLID);
    // Before the answer: the caller's next order takes another wallet.
    await this.walletRefusals.note(wallet, DELEGATION, txId, confirmed);
    return failed(codeOfRefusal(outcome), reason, reason);
  }
}

function codeOfRefusal(outcome: Refusal): ErrorCode {
  if (refusedForStake(outcome)) return 'INSUFFICIENT_ENERGY';
  return outcome.elsewhere ? 'NODE_UNAVAILABLE' : 'INTERNAL';
}
