import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BACKGROUND_WORK } from '../../common/background-job';
import { RepeatedBroadcasts } from '../transactions/outbox/repeated-broadcasts';
import type { HeaderChain } from '../proof/header-chain';
import { BlockBodies } from '../verified-chain/block-bodies';
import { BlockClock } from '../verified-chain/block-clock';
import { BlockPace } from './block-pace';
import { BlockSubscribers } from './block-subscribers';
import { ChainWork } from './chain-work';
import { FinalFeed } from './final-feed';
import { VerifiedChain } from '../verified-chain/verified-chain';

/** With nothing open, no caller waits for the next block: asked a little later, it is surely there. */
const IDLE_MS = 300;
/** A retry does not wait for the next block. */
const RETRY_MS = 400;
const FAILED_MS = 1_000;
/** The other nodes are asked for their heads too every so many blocks: seldom while nothing is open, for gateways count calls. */
const COMPARE_BLOCKS = { busy: 5, idle: 10 };

/** Asks for each block when it is due, and has done what follows from it. Bytes are sent again meanwhile, and subscribers do their work. */
@Injectable()
export class BlockFollower implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(BlockFollower.name);
  private readonly stop = new AbortController();
  private pause = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private failing = false;
  private isFinished = false;
  private comparedAt = 0;

  constructor(
    @Inject(BACKGROUND_WORK) private readonly enabled: boolean,
    private readonly clock: BlockClock,
    private readonly chain: VerifiedChain,
    private readonly pace: BlockPace,
    private readonly work: ChainWork,
    private readonly broadcasts: RepeatedBroadcasts,
    private readonly subscribers: BlockSubscribers,
    private readonly bodies: BlockBodies,
    private readonly feed: FinalFeed,
  ) {}

  onApplicationBootstrap(): void {
    if (this.enabled) this.running = this.run();
  }

  /** Runs after the HTTP server has closed: requests in flight need the follower until then. */
  async onApplicationShutdown(): Promise<void> {
    this.stop.abort();
    this.pause.abort();
    await this.running;
    await Promise.all([this.broadcasts.ended(), this.bodies.end(), this.feed.ended()]);
  }

  /** An order was just placed: its block is asked for as soon as it is due. */
  wake(): void {
    this.pause.abort();
  }

  private async run(): Promise<void> {
    const { signal } = this.stop;
    while (!signal.aborted) {
      const pauseMs = await this.turn().catch((error: unknown) => this.failed(error));
      await this.clock.sleep(pauseMs, signal);
      this.pause = new AbortController();
      if (signal.aborted) this.pause.abort();
      if (this.isFinished && !this.work.isBusy && this.pace.hasLearned)
        await this.clock.sleep(IDLE_MS, this.pause.signal);
    }
  }

  /** Gives how long to wait until the next one. What fails in one part keeps no other from being done. */
  private async turn(): Promise<number> {
    const faults: unknown[] = [];
    const parts = [
      () => this.look(),
      () => this.advance(),
      () => this.beginBeside(),
      () => this.work.answerRecorded(this.known),
    ];
    for (const part of parts) await part().catch((fault: unknown) => faults.push(fault));
    if (faults.length > 0) throw faults[0];
    this.recovered();
    return this.isFinished ? this.pace.waitMs : Math.min(this.pace.waitMs, this.work.mayGoOn ? 0 : RETRY_MS);
  }

  /** The headers that are known already, by which transactions settle although no node answers. */
  private get known(): HeaderChain | null {
    return this.chain.problem === null ? this.chain.headers : null;
  }

  private async advance(): Promise<void> {
    if (!this.known) return;
    this.isFinished = await this.work.advance(this.known, this.stop.signal);
  }

  private async beginBeside(): Promise<void> {
    if (!this.known) return;
    const { headTimeMs, final } = this.known;
    if (this.work.isBusy) this.broadcasts.begin(headTimeMs);
    this.feed.begin(() => this.known, this.stop.signal);
    if (!this.stop.signal.aborted) this.subscribers.turn(final!.number);
  }

  private async look(): Promise<void> {
    if (this.pace.waitMs > 0) return;
    const head = this.chain.headers?.head.number ?? 0;
    const compareBlocks = this.work.isBusy ? COMPARE_BLOCKS.busy : COMPARE_BLOCKS.idle;
    const isToCompare = Math.abs(head - this.comparedAt) >= compareBlocks;
    // While the first node is in time, no block waits for a slow one.
    const others = this.pace.isLast ? 'awaited' : isToCompare ? 'beside' : 'unasked';
    if (others !== 'unasked') this.comparedAt = head;
    try {
      await this.chain.look(this.work.isBusy, others);
    } finally {
      this.pace.asked(this.chain.headers);
    }
  }

  private recovered(): void {
    if (this.failing) this.logger.log('The block follower works again');
    this.failing = false;
  }

  private failed(error: unknown): number {
    if (this.stop.signal.aborted) return 0;
    // Logged once per outage.
    if (!this.failing) this.logger.error({ err: error }, 'The block follower failed and tries again');
    this.failing = true;
    return FAILED_MS;
  }
}
