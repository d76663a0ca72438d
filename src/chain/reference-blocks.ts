import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { HeadVerifier } from './follower/head-verifier';
import { DoubtfulBlockError } from './node/block-answer';
import { ChainReads, type BlockHeader } from './node/chain-reads';

/** What a transaction is built on: the reference block it names, and the head's time, from which its expiration counts. */
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

/** Tips older than this are read again before anything is signed on them: the follower has lost the node. */
const STALE_AFTER_MS = 6_000;
/** The genesis blocks are compared this often: a node may be replaced behind its URL without one failed call. */
const VERIFY_AFTER_MS = 20_000;

/** Head and newest solid block as the follower last saw them, so that an order is mostly signed without asking a node. */
@Injectable()
export class ReferenceBlocks {
  private tips: Tips | null = null;
  private reading: Promise<Tips> | null = null;
  private verifiedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly reads: ChainReads,
    private readonly headVerifier: HeadVerifier,
    private readonly clock: Clock,
  ) {}

  /** The newest solid block: bytes that name it are valid on every fork. @throws NodeUnavailableError */
  async solid(): Promise<ReferenceBlock> {
    const { head, solid } = await this.current();
    return { number: solid.number, id: solid.id, headTimeMs: head.timeMs };
  }

  /** A block of the head chain, for bytes that are valid only on the fork with that block. @throws NodeUnavailableError */
  async onTopOf(block: { number: number; id: string }): Promise<ReferenceBlock> {
    return { ...block, headTimeMs: await this.headTimeMs() };
  }

  /** Block time of the head. @throws NodeUnavailableError */
  async headTimeMs(): Promise<number> {
    return (await this.current()).head.timeMs;
  }

  /** The same, of a head verified to descend from the solid block: it decides that reclaims are due. @throws NodeUnavailableError */
  async verifiedHeadTimeMs(signal?: AbortSignal): Promise<number> {
    const { head, solid } = await this.current();
    await this.headVerifier.verify(head, solid, signal);
    return head.timeMs;
  }

  /** From the last reading, however old. */
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
    // A block may have become solid between the two answers.
    const head = first.number < solid.number ? await this.reads.head('wallet') : first;
    await this.verify(head, solid);
    this.requireOrder(head, solid);
    // When the id cannot be computed, only the links to the solid chain prove the header's time.
    if (!head.proved) await this.headVerifier.verify(head, solid);
    this.tips = { head, solid, readAtMs: this.clock.monotonicMs() };
    return this.tips;
  }

  /** Compares the genesis blocks when the chain steps back, or when that was not done lately. */
  private async verify(head: BlockHeader, solid: BlockHeader): Promise<void> {
    const stepsBack = this.tips && (head.number < this.tips.head.number || solid.number < this.tips.solid.number);
    const now = this.clock.monotonicMs();
    if (!stepsBack && now - this.verifiedAtMs < VERIFY_AFTER_MS) return;
    await this.reads.verify();
    this.verifiedAtMs = now;
  }

  /** A head behind the solid block, or with an earlier time, is not signed on. */
  private requireOrder(head: BlockHeader, solid: BlockHeader): void {
    if (head.number >= solid.number && head.timeMs >= solid.timeMs) return;
    this.reads.invalidate('wallet');
    throw new DoubtfulBlockError(
      `head ${head.number} (${head.timeMs}) is behind solid block ${solid.number} (${solid.timeMs})`,
    );
  }
}
