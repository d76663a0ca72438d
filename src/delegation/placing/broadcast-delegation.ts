import { Injectable } from '@nestjs/common';
import { Outbox, type Sent } from '../../chain/transactions/outbox/outbox';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import type { SignedTransaction } from '../../chain/tron/node/signed-transaction';
import { Clock } from '../../common/clock';

/** A block comes every three seconds, and the next node behind a gateway has it a moment later. */
const NEXT_TRY_MS = 400;

/** Broadcasts an order's committed bytes. */
@Injectable()
export class BroadcastDelegation {
  constructor(
    private readonly outbox: Outbox,
    private readonly references: ReferenceBlocks,
    private readonly clock: Clock,
  ) {}

  /**
   * Bytes that name a block of the head chain (behind an activation) may meet a node that is one block behind and refuses them
   * for it: they are sent again until it has seen the block or the time has run out. A refused sending was neither kept nor relayed.
   * Nothing is sent after the claim's end: a process can be stopped between two sendings, and its order taken over meanwhile.
   */
  async broadcast(delegation: SignedTransaction, withinMs: number, claimEndsMs: number): Promise<Sent> {
    const onHead = delegation.refBlock.number > (this.references.lastFinal()?.number ?? 0);
    const answerByMs = this.clock.monotonicMs() + withinMs;
    const sending = { untilMs: claimEndsMs, answerByMs };
    let sent = await this.outbox.broadcast(delegation, { ...sending, patienceMs: withinMs });
    if (!onHead) return sent;
    while (missesTheBlock(sent) && this.clock.monotonicMs() + NEXT_TRY_MS < answerByMs) {
      await this.clock.sleep(NEXT_TRY_MS);
      sent = await this.outbox.broadcastAgain(sent, { ...sending, patienceMs: 0 });
    }
    return sent;
  }
}

/** No node took it or left its outcome open, no two refused it for good, and one at least would take it with the block it names. */
function missesTheBlock({ outcome, deliveries, confirmed }: Sent): boolean {
  return (
    outcome.kind === 'refused' && confirmed === null && deliveries.some((said) => said.outcome.code === 'TAPOS_ERROR')
  );
}
