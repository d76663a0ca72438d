import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import type { SignedTransaction } from '../../tron/node/signed-transaction';
import { ReferenceBlocks } from '../../verified-chain/reference-blocks';
import { Outbox, type Sent } from './outbox';

/** A block comes every three seconds, and the next node behind a gateway has it a moment later. */
const NEXT_TRY_MS = 400;

/** Broadcasts committed bytes for which a caller waits. */
@Injectable()
export class FirstBroadcast {
  constructor(
    private readonly outbox: Outbox,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly clock: Clock,
  ) {}

  /**
   * Bytes that name a block of the head chain (after an activation) may meet a node that is one block behind and refuses them
   * for it: they are sent again until it has seen the block or the time has run out. A refused sending was neither kept nor relayed.
   * Nothing is sent after `untilMs`: a process can be stopped between two sendings, and its work taken over meanwhile.
   */
  async broadcast(signed: SignedTransaction, withinMs: number, untilMs: number): Promise<Sent> {
    const onHead = signed.refBlock.number > (this.referenceBlocks.lastFinal()?.number ?? 0);
    const answerByMs = this.clock.monotonicMs() + withinMs;
    const sending = { untilMs, answerByMs };
    let sent = await this.outbox.broadcast(signed, { ...sending, patienceMs: withinMs });
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
