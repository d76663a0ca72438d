import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { HeadVerifier } from './follower/head-verifier';
import { DoubtfulBlockError } from './node/block-answer';
import { ChainReads, type BlockHeader } from './node/chain-reads';

/** What a transaction is built on: the block it names, and the head's time that its expiration counts from. */
export interface ReferenceBlock {
  readonly number: number;
  readonly id: string;
  readonly headTimeMs: number;
}

interface Tips {
  readonly head: BlockHeader;
  readonly solid: BlockHeader;
  readonly readAtMs: number;
}

/** Older than this, the follower has lost the node and the tips are read anew before anything is signed on them. */
const STALE_AFTER_MS = 6_000;
/** A node can be exchanged behind its URL without failing a single call. */
const VERIFY_AFTER_MS = 20_000;

/** The tips of the chain as the follower last saw them, so that a warm order signs without asking a node. */
@Injectable()
export class ReferenceBlocks {
  private tips: Tips | null = null;
  private reading: Promise<Tips> | null = null;
  private verifiedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly reads: ChainReads,
    private readonly link: HeadVerifier,
    private readonly clock: Clock,
  ) {}

  /** The newest solid block: bytes that name it are valid on every fork. @throws NodeUnavailableError */
  async solid(): Promise<ReferenceBlock> {
    const { head, solid } = await this.current();
    return { number: solid.number, id: solid.id, headTimeMs: head.timeMs };
  }

  /** A block of the head chain, for bytes that may land only where that block is. @throws NodeUnavailableError */
  async onTopOf(block: { number: number; id: string }): Promise<ReferenceBlock> {
    return { ...block, headTimeMs: await this.headTimeMs() };
  }

  /** Block time of the head. @throws NodeUnavailableError */
  async headTimeMs(): Promise<number> {
    return (await this.current()).head.timeMs;
  }

  /** The same of a head that stands on the solid chain: what decides that a reclaim is due. @throws NodeUnavailableError */
  async linkedHeadTimeMs(signal?: AbortSignal): Promise<number> {
    const { head, solid } = await this.current();
    await this.link.confirm(head, solid, signal);
    return head.timeMs;
  }

  /** Of the last reading, however old. */
  lastHead(): BlockHeader | null {
    return this.tips?.head ?? null;
  }

  lastSolid(): BlockHeader | null {
    return this.tips?.solid ?? null;
  }

  async refresh(): Promise<Tips> {
    this.reading ??= this.read().finally(() => (this.reading = null));
    return this.reading;
  }

  private async current(): Promise<Tips> {
    if (this.tips && this.clock.monotonicMs() - this.tips.readAtMs < STALE_AFTER_MS) return this.tips;
    return this.refresh();
  }

  private async read(): Promise<Tips> {
    const [first, solid] = await Promise.all([this.reads.head('wallet'), this.reads.head('walletsolidity')]);
    // A block may have come between the two answers.
    const head = first.number < solid.number ? await this.reads.head('wallet') : first;
    await this.verify(head, solid);
    this.compare(head, solid);
    // Nothing but its place vouches for the time of a header whose id cannot be computed.
    if (!head.proved) await this.link.confirm(head, solid);
    this.tips = { head, solid, readAtMs: this.clock.monotonicMs() };
    return this.tips;
  }

  /** Nothing is signed on tips of a chain that steps back or was not compared lately. */
  private async verify(head: BlockHeader, solid: BlockHeader): Promise<void> {
    const stepsBack = this.tips && (head.number < this.tips.head.number || solid.number < this.tips.solid.number);
    const now = this.clock.monotonicMs();
    if (!stepsBack && now - this.verifiedAtMs < VERIFY_AFTER_MS) return;
    await this.reads.verify();
    this.verifiedAtMs = now;
  }

  /** The node that is behind what is solid, or tells times wrong, signs nothing. */
  private compare(head: BlockHeader, solid: BlockHeader): void {
    if (head.number >= solid.number && head.timeMs >= solid.timeMs) return;
    this.reads.doubt('wallet');
    throw new DoubtfulBlockError(
      `head ${head.number} (${head.timeMs}) is behind solid block ${solid.number} (${solid.timeMs})`,
    );
  }
}
