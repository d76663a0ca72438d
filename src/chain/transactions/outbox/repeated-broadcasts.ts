import { Injectable, Logger } from '@nestjs/common';
import { forEachConcurrently } from '../../../common/concurrency/for-each-concurrently';
import { Shutdown } from '../../../common/shutdown';
import { withCallPriority } from '../../tron/node/call-priority';
import { ConfiguredNodes } from '../../tron/node/configured-nodes';
import type { Sending } from '../../tron/node/node-client';
import type { SignedTransaction } from '../../tron/node/signed-transaction';
import { Outbox } from './outbox';

const MOST_AT_A_TIME = 50;

/**
 * Sends the bytes of open transactions again, to every node: a node that has accepted them may have failed to relay them. One run at a
 * time; none begins after shutdown has begun.
 */
@Injectable()
export class RepeatedBroadcasts {
  private readonly logger = new Logger(RepeatedBroadcasts.name);
  private running: Promise<void> | null = null;
  private readonly single = new Set<Promise<void>>();

  constructor(
    private readonly outbox: Outbox,
    private readonly nodes: ConfiguredNodes,
    private readonly shutdown: Shutdown,
  ) {}

  /** Returns before they are sent: a node that hangs on these bytes must not delay reading blocks. */
  begin(headTimeMs: number): void {
    if (this.shutdown.signal.aborted) return;
    this.running ??= withCallPriority('resends', () => this.run(headTimeMs))
      .catch((error: unknown) =>
        this.logger.error({ err: error }, 'Transactions could not be sent again; the next turn tries once more'),
      )
      .finally(() => (this.running = null));
  }

  /** Sends one for which a caller waits, before it is due. A single node has it already. */
  toEveryNode(signed: SignedTransaction, untilMs: number): void {
    if (this.shutdown.signal.aborted || this.nodes.urls('wallet').length < 2) return;
    const sending = this.send(signed, { untilMs }).finally(() => this.single.delete(sending));
    this.single.add(sending);
  }

  /** Resolves once what is under way has ended. */
  async ended(): Promise<void> {
    await Promise.all([this.running, ...this.single]);
  }

  private async run(headTimeMs: number): Promise<void> {
    const due = await this.outbox.claimResends(headTimeMs, MOST_AT_A_TIME);
    await forEachConcurrently(due, async (signed) => {
      if (!this.shutdown.signal.aborted) await this.send(signed);
    });
  }

  private async send(signed: SignedTransaction, sending: Sending = {}): Promise<void> {
    await this.outbox
      .send(signed, { ...sending, toEveryNode: true })
      .catch((error: unknown) =>
        this.logger.error({ err: error, txid: signed.txId }, 'The answers to a repeated broadcast were not recorded'),
      );
  }
}
