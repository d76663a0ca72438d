import { Injectable, Logger } from '@nestjs/common';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { Shutdown } from '../../common/shutdown';
import { withCallPriority } from '../node/call-priority';
import { Outbox } from './outbox';

const MOST_AT_A_TIME = 50;

/** Sends the bytes of open transactions again. One run at a time; none begins after shutdown has begun. */
@Injectable()
export class RepeatedBroadcasts {
  private readonly logger = new Logger(RepeatedBroadcasts.name);
  private running: Promise<void> | null = null;

  constructor(
    private readonly outbox: Outbox,
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

  /** Resolves once the run in hand has ended. */
  async ended(): Promise<void> {
    await this.running;
  }

  private async run(headTimeMs: number): Promise<void> {
    const due = await this.outbox.claimResends(headTimeMs, MOST_AT_A_TIME);
    await forEachConcurrently(due, async (signed) => {
      if (this.shutdown.signal.aborted) return;
      await this.outbox
        .send(signed)
        .catch((error: unknown) =>
          this.logger.error({ err: error, txid: signed.txId }, 'The answers to a repeated broadcast were not recorded'),
        );
    });
  }
}
