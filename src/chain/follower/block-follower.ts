import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BACKGROUND_WORK } from '../../common/background-job';
import { Clock } from '../../common/clock';
import type { BlockHeader } from '../node/chain-reads';
import { RepeatedBroadcasts } from '../outbox/repeated-broadcasts';
import { ReferenceBlocks } from '../reference-blocks';
import { Capacity } from '../wallets/capacity';
import { HeadChain } from './head-chain';
import { OpenTransactions } from './open-transactions';
import { SolidChain } from './solid-chain';

/** A block comes every three seconds; an order's answer waits until it is seen. */
const BUSY_MS = 400;
const IDLE_MS = 3_000;
const FAILED_MS = 1_000;

/**
 * While any transaction is open, reads each new head block in full and then the solid chain. A turn: newest head and solid block,
 * head chain, solid chain. Sending bytes again and reading wallets run beside the turns.
 */
@Injectable()
export class BlockFollower implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(BlockFollower.name);
  private readonly stop = new AbortController();
  private pause = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private failing = false;

  constructor(
    @Inject(BACKGROUND_WORK) private readonly enabled: boolean,
    private readonly open: OpenTransactions,
    private readonly clock: Clock,
    private readonly references: ReferenceBlocks,
    private readonly head: HeadChain,
    private readonly solid: SolidChain,
    private readonly broadcasts: RepeatedBroadcasts,
    private readonly capacity: Capacity,
  ) {}

  onApplicationBootstrap(): void {
    if (this.enabled) this.running = this.run();
  }

  /** Runs after the HTTP server has closed: requests in flight need the follower until then. */
  async onApplicationShutdown(): Promise<void> {
    this.stop.abort();
    this.pause.abort();
    await this.running;
    await this.broadcasts.ended();
  }

  /** An order was just placed: end an idle pause early. */
  wake(): void {
    if (!this.pause.signal.aborted) this.pause.abort();
  }

  private async run(): Promise<void> {
    while (!this.stop.signal.aborted) {
      this.pause = new AbortController();
      const pauseMs = await this.turn().then(
        (busy) => this.recovered(busy ? BUSY_MS : IDLE_MS),
        (error: unknown) => this.failed(error),
      );
      // This part is never cut short: under load `wake` is called all the time, but a block comes only every three seconds.
      await this.clock.sleep(Math.min(pauseMs, BUSY_MS), this.stop.signal);
      if (!this.stop.signal.aborted) await this.clock.sleep(pauseMs - BUSY_MS, this.pause.signal);
    }
  }

  /** True while any transaction is open. */
  async turn(): Promise<boolean> {
    const tips = await this.references.refresh();
    // Asked after the tips were read: a transaction committed later cannot be in a block that exists already.
    const busy = await this.open.areAny();
    await this.advance(tips.head, tips.solid, busy);
    if (busy) this.broadcasts.begin(tips.head.timeMs);
    if (!this.stop.signal.aborted) this.capacity.renewDue(tips.solid.number);
    return busy;
  }

  /** The solid chain advances even when the head chain fails, or a fault there would stop every settlement. */
  private async advance(head: BlockHeader, solid: BlockHeader, busy: boolean): Promise<void> {
    const { signal } = this.stop;
    const followed = busy ? this.head.advance(head, signal) : this.head.skipTo(head);
    const [outcome] = await Promise.allSettled([followed]);
    await this.solid.advance(solid, signal);
    if (outcome.status === 'rejected') throw outcome.reason;
  }

  private recovered(pauseMs: number): number {
    if (this.failing) this.logger.log('The block follower works again');
    this.failing = false;
    return pauseMs;
  }

  private failed(error: unknown): number {
    if (this.stop.signal.aborted) return 0;
    // Logged once per outage.
    if (!this.failing) this.logger.error({ err: error }, 'The block follower failed and tries again');
    this.failing = true;
    return FAILED_MS;
  }
}
