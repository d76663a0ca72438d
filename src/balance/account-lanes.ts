import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Lane, LaneFullError } from '../common/concurrency/lane';
import { BRIEF_LOCK_TIMEOUT, isLockRefused, SHORT_LOCK_TIMEOUT } from '../database/short-lock-timeout';
import { Sql, type SqlTransaction } from '../database/sql';

/** Transactions of one kind at a time: together they leave connections to everybody else. */
const WIDTH = 4;

/**
 * Transactions of requests that lock the account of their order's user. However many accounts somebody else has locked, these occupy a
 * few connections. The first try gives up almost at once, so that an order whose account is free never stands behind those that wait.
 */
@Injectable()
export class AccountLanes {
  private readonly brief = new Lane(WIDTH);
  private readonly patient = new Lane(WIDTH);

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /**
   * `work` is carried out again when it meets a lock, for so long; nothing of an earlier try is kept. Without patience it is carried out
   * twice at most, and waits for its turns as long as those in front of it take.
   * @throws the refused lock once that time is over, or LaneFullError when it had no turn at all in it
   */
  async transaction<T>(work: (tx: SqlTransaction) => Promise<T>, patienceMs?: number): Promise<T> {
    const endMs = patienceMs === undefined ? Infinity : this.clock.monotonicMs() + patienceMs;
    const leftMs = () => Math.max(0, endMs - this.clock.monotonicMs());
    let refused: unknown;
    try {
      return await this.tryIn(this.brief, BRIEF_LOCK_TIMEOUT, leftMs(), work);
    } catch (error) {
      if (!isLockRefused(error)) throw error;
      refused = error;
    }
    for (;;) {
      try {
        return await this.tryIn(this.patient, SHORT_LOCK_TIMEOUT, leftMs(), work);
      } catch (error) {
        if (error instanceof LaneFullError) throw refused;
        if (!isLockRefused(error) || patienceMs === undefined || leftMs() === 0) throw error;
        refused = error;
      }
    }
  }

  private tryIn<T>(
    lane: Lane,
    timeout: typeof SHORT_LOCK_TIMEOUT,
    longestWaitMs: number,
    work: (tx: SqlTransaction) => Promise<T>,
  ): Promise<T> {
    const carryOut = () =>
      this.sql.transaction((tx) => {
        tx.defer(tx.execute(timeout));
        return work(tx);
      });
    return lane.run(carryOut, longestWaitMs);
  }
}
