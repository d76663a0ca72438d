import { Injectable, Logger } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { Clock } from '../common/clock';
import { ServiceError } from '../common/errors/service.error';
import { OrderWrites } from './order-writes';
import { AnswerLostError } from './placing/answer-lost.error';

const RETRY_MS = 500;
/** The database may be away for a moment; an answer that cannot be committed is not given. */
const PATIENCE_MS = 30_000;
/** Classes of SQLSTATE that speak of the statement and its values, not of the server: the same statement fails again. */
const OF_THE_STATEMENT = /^(?:2[1-4]|42|44|P0)/;

/** For what must be written once bytes may be on their way. */
@Injectable()
export class DatabaseRetry {
  private readonly logger = new Logger(DatabaseRetry.name);

  constructor(
    private readonly clock: Clock,
    private readonly writes: OrderWrites,
  ) {}

  /**
   * Repeats through an outage of the database: only for work that changes nothing the second time.
   * @throws AnswerLostError when it lasts; without a second try, what no repetition can cure
   */
  async throughOutage<T>(work: () => Promise<T>): Promise<T> {
    const giveUpAtMs = this.clock.monotonicMs() + PATIENCE_MS;
    for (let hasFailed = false; ; hasFailed = true) {
      try {
        const result = await work();
        if (hasFailed) this.writes.worked();
        return result;
      } catch (error) {
        this.logger.error({ err: error }, 'An order could not be written');
        this.writes.failed(error);
        if (isForGood(error)) throw error;
        if (this.clock.monotonicMs() > giveUpAtMs) throw new AnswerLostError(error);
        await this.clock.sleep(RETRY_MS);
      }
    }
  }
}

function isForGood(error: unknown): boolean {
  if (error instanceof DatabaseError) return OF_THE_STATEMENT.test(error.code ?? '');
  return error instanceof ServiceError || error instanceof TypeError || error instanceof RangeError;
}
