import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BACKGROUND_WORK } from '../../common/background-job';
import { Clock } from '../../common/clock';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { Shutdown } from '../../common/shutdown';
import { Sql } from '../../database/sql';
import type { BlockHeader } from '../node/chain-reads';
import { Outbox } from '../outbox/outbox';
import { ANY_OPEN } from '../outbox/outbox.statements';
import { ReferenceBlocks } from '../reference-blocks';
import { Capacity } from '../wallets/capacity';
import { HeadChain } from './head-chain';
import { InclusionWaiters } from './inclusion-waiters';
import { SolidChain } from './solid-chain';

/** A block comes every three seconds; an answer should not wait long for its discovery. */
const BUSY_MS = 400;
const IDLE_MS = 3_000;
const FAILED_MS = 1_000;
const RESENDS_A_TURN = 50;

/**
 * Sees everything once: while any transaction is open it reads each new head block in full and the solid chain after it.
 * One turn: tips, head chain, solid chain, capacity of the pool; beside it, bytes are sent again.
 */
@Injectable()
export class BlockFollower implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(BlockFollower.name);
  private readonly stop = new AbortController();
  private nap = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private resending: Promise<void> | null = null;
  private failing = false;

  constructor(
    @Inject(BACKGROUND_WORK) private readonly enabled: boolean,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly references: ReferenceBlocks,
    private readonly head: HeadChain,
    private readonly solid: SolidChain,
    private readonly waits: InclusionWaiters,
    private readonly outbox: Outbox,
    private readonly capacity: Capacity,
    private readonly shutdown: Shutdown,
  ) {}

  onApplicationBootstrap(): void {
    if (this.enabled) this.running = this.run();
  }

  /** After the HTTP server has closed: the requests that were in flight needed the follower until then. */
  async onApplicationShutdown(): Promise<void> {
    this.stop.abort();
    this.nap.abort();
    await this.running;
    await this.resending;
  }

  /** An order was just placed: look at blocks soon, not at the end of an idle nap. */
  wake(): void {
    if (!this.nap.signal.aborted) this.nap.abort();
  }

  private async run(): Promise<void> {
    while (!this.stop.signal.aborted) {
      this.nap = new AbortController();
      const pause = await this.turn().then(
        (busy) => this.recovered(busy ? BUSY_MS : IDLE_MS),
        (error: unknown) => this.failed(error),
      );
      // Woken or not, so long at least: under load an order comes at every moment, and a block only now and then.
      await this.clock.sleep(Math.min(pause, BUSY_MS), this.stop.signal);
      if (!this.stop.signal.aborted) await this.clock.sleep(pause - BUSY_MS, this.nap.signal);
    }
  }

  /** True while anything is open. */
  async turn(): Promise<boolean> {
    const tips = await this.references.refresh();
    // Asked after the tips were read: what is committed later cannot be in a block that already existed.
    const open = await this.sql.row<{ any: boolean }>(ANY_OPEN);
    const busy = this.waits.any || open!.any;
    await this.advance(tips.head, tips.solid, busy);
    if (busy) this.sendAgain(tips.head.timeMs);
    if (!this.stop.signal.aborted) await this.capacity.keepFresh(tips.solid);
    return busy;
  }

  /** What the head chain cannot do now, a fork that is not recorded yet, is no reason to settle nothing. */
  private async advance(head: BlockHeader, solid: BlockHeader, busy: boolean): Promise<void> {
    const { signal } = this.stop;
    const followed = busy ? this.head.advance(head, signal) : this.head.skipTo(head);
    const [outcome] = await Promise.allSettled([followed]);
    await this.solid.advance(solid, signal);
    if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Beside the turn: a node that hangs on these bytes must not keep blocks from being seen. One run at a time. */
  private sendAgain(headTimeMs: number): void {
    if (this.shutdown.signal.aborted) return;
    this.resending ??= this.resend(headTimeMs)
      .catch((error: unknown) => this.logger.error({ err: error }, 'Transactions could not be sent again for now'))
      .finally(() => (this.resending = null));
  }

  private async resend(headTimeMs: number): Promise<void> {
    const due = await this.outbox.claimResends(headTimeMs, RESENDS_A_TURN);
    await forEachConcurrently(due, async (signed) => {
      if (this.shutdown.signal.aborted) return;
      await this.outbox
        .send(signed)
        .catch((error: unknown) => this.logger.error({ err: error, txid: signed.txId }, 'a sending was not recorded'));
    });
  }

  private recovered(pause: number): number {
    if (this.failing) this.logger.log('The block follower goes on');
    this.failing = false;
    return pause;
  }

  private failed(error: unknown): number {
    if (this.stop.signal.aborted) return 0;
    // Once per outage: the turns in between say nothing new.
    if (!this.failing) this.logger.error({ err: error }, 'The block follower cannot go on for now');
    this.failing = true;
    return FAILED_MS;
  }
}
