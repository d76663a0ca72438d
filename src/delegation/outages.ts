import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock';
import { AnswerLostError } from './answer-lost.error';

const RETRY_MS = 500;
/** The database may be away for a moment; an answer that cannot be committed is not given. */
const PATIENCE_MS = 30_000;

/** For what must be written once bytes may be on their way. */
@Injectable()
export class Outages {
  private readonly logger = new Logger(Outages.name);

  constructor(private readonly clock: Clock) {}

  /** Repeats through an outage of the database: only for work that changes nothing the second time. @throws AnswerLostError */
  async outlast<T>(work: () => Promise<T>): Promise<T> {
    const giveUpAtMs = this.clock.monotonicMs() + PATIENCE_MS;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        this.logger.error({ err: error }, 'an order could not be written to');
        if (this.clock.monotonicMs() > giveUpAtMs) throw new AnswerLostError(error);
        await this.clock.sleep(RETRY_MS);
      }
    }
  }
}
