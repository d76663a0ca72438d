import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock';
import { type DroppedMail, droppedMails } from '../common/telemetry-channels';

const MINUTE_MS = 60_000;

/** Mails that were not written. The reader of the form sees nothing of it, so the log and a counter say it. */
@Injectable()
export class DroppedMails {
  private readonly logger = new Logger(DroppedMails.name);
  private counts: Partial<Record<DroppedMail['reason'], number>> = {};
  private nextLineMs = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** One line a minute at most, with all since the last one: strangers decide how many there are. */
  note(reason: DroppedMail['reason']): void {
    droppedMails.publish({ reason } satisfies DroppedMail);
    this.counts[reason] = (this.counts[reason] ?? 0) + 1;
    const nowMs = this.clock.monotonicMs();
    if (nowMs < this.nextLineMs) return;
    this.logger.warn(
      { dropped: this.counts },
      'Mails were dropped: a limit of the hour was reached, or too many forms wait',
    );
    this.counts = {};
    this.nextLineMs = nowMs + MINUTE_MS;
  }
}
