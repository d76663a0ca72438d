import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Lane } from '../common/concurrency/lane';
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
   * `work` is carried out again when it meets a lock, for so long; nothing of an earlier try is kept.
   * @throws the refused lock once that time is over, after two tries at the least
   */
  async transaction<T>(work: (tx: SqlTransaction) => Promise<T>, patienceMs = 0): Promise<T> {
    const endMs = this.clock.monotonicMs() + patienceMs;
    try {
      return await this.tryIn(this.brief, BRIEF_LOCK_TIMEOUT, work);
    } catch (error) {
      if (!isLockRefused(error)) throw error;
    }
    for (;;) {
      try {
        return await this.tryIn(this.patient, SHORT_LOCK_TIMEOUT, work);
      } catch (error) {
        if (!isLockRefused(error) || this.clock.monotonicMs() >= endMs) throw error;
      }
    }
  }

  private tryIn<T>(
    lane: Lane,
    timeout: typeof SHORT_LOCK_TIMEOUT,
    work: (tx: SqlTransaction) => Promise<T>,
  ): Promise<T> {
    return lane.run(() =>
      this.sql.transaction((tx) => {
        tx.defer(tx.execute(timeout));
        return work(tx);
      }),
    );
  }
}
