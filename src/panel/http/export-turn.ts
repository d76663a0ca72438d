import { Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { SharedRateLimits } from '../../rate-limit/shared-rate-limits';
import { PanelError } from './panel-errors';

const NAME = 'exports';
/** A connection that takes a file for longer is cut: whoever reads slowly would else begin another one beside it. */
const LONGEST_MS = 15 * 60_000;
const MARGIN_MS = 5_000;
const RETRY_AFTER_SECONDS = 10;

/** One export at a time for each user, on all instances together: each reads the database as fast as it can, and others wait for that. */
@Injectable()
export class ExportTurn {
  private readonly logger = new Logger(ExportTurn.name);

  constructor(private readonly limits: SharedRateLimits) {}

  /**
   * The chunks, behind which the next export may begin: before the last byte leaves, for it may be asked for at once. An instance that
   * ends meanwhile leaves the turn taken for a quarter of an hour. @throws PanelError exporting
   */
  async take(userId: string, response: Response, chunks: AsyncIterable<string>): Promise<AsyncIterable<string>> {
    const { isBlocked, timeToExpire } = await this.limits.increment(userId, LONGEST_MS, 1, 0, NAME);
    if (isBlocked) throw new PanelError('exporting', RETRY_AFTER_SECONDS);
    const cut = setTimeout(() => response.destroy(), LONGEST_MS - MARGIN_MS).unref();
    let ended: Promise<void> | null = null;
    const end = () => {
      clearTimeout(cut);
      return (ended ??= this.giveBack(userId, timeToExpire));
    };
    if (response.closed) await end();
    else response.once('close', () => void end());
    return behind(chunks, end);
  }

  private async giveBack(userId: string, secondsLeft: number): Promise<void> {
    try {
      await this.limits.giveBack(userId, secondsLeft, NAME);
    } catch (error) {
      this.logger.warn({ err: error }, 'The end of an export was not written down: its user waits for the next one');
    }
  }
}

async function* behind(chunks: AsyncIterable<string>, end: () => Promise<void>): AsyncGenerator<string> {
  try {
    yield* chunks;
  } finally {
    await end();
  }
}
