import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { DomainError } from '../common/errors/domain.error';
import { CommitUnknownError } from '../database/commit-unknown.error';

const RETRY_MS = 500;
/** As long as a database takes to come back. */
const PATIENCE_MS = 30_000;

export interface LookedUp<Result> {
  readonly result: Result;
  /** Its commit was not acknowledged: it was looked up, and is done. */
  readonly lookedUp: boolean;
}

/**
 * What became of an act whose commit was not acknowledged. Without this the operator would not know, and by doing it again would do it
 * twice.
 */
@Injectable()
export class UnknownCommits {
  constructor(private readonly clock: Clock) {}

  /**
   * @param isDone waits for what is still under way
   * @throws DomainError `commit.not-done`, or `commit.unknown` when the database stays away
   */
  async lookUp<Result>(
    reference: string,
    act: () => Promise<Result>,
    isDone: () => Promise<boolean>,
  ): Promise<LookedUp<Result>> {
    try {
      return { result: await act(), lookedUp: false };
    } catch (error) {
      if (!(error instanceof CommitUnknownError)) throw error;
      if (!(await this.throughOutage(reference, isDone))) throw new DomainError('commit.not-done', { reference });
      return { result: error.result as Result, lookedUp: true };
    }
  }

  private async throughOutage(reference: string, isDone: () => Promise<boolean>): Promise<boolean> {
    const giveUpAtMs = this.clock.monotonicMs() + PATIENCE_MS;
    for (;;) {
      try {
        return await isDone();
      } catch {
        if (this.clock.monotonicMs() > giveUpAtMs) throw new DomainError('commit.unknown', { reference });
        await this.clock.sleep(RETRY_MS);
      }
    }
  }
}
