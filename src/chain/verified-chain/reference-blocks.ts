import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { FinalityWatch } from './finality-watch';
import type { BlockId } from '../proof/block-header';
import { type Tips, VerifiedChain } from './verified-chain';
import type { BlockHeader } from '../proof/block-header';
import { NodeUnavailableError } from '../tron/node/node-errors';
import { SHORTEST_LIFETIME_MS } from './transaction-lifetime';

/** What a transaction is built on: the reference block it names, and the time from which its expiration counts. */
export interface ReferenceBlock {
  readonly number: number;
  readonly id: string;
  /** As `HeaderChain.signingTimeMs`. */
  readonly headTimeMs: number;
}

/** When the last look is so long ago, a caller looks first: no follower runs in this process, or it has lost the nodes. */
const STALE_AFTER_MS = 6_000;

/** Head and newest final block of the verified chain, so that an order is mostly signed without asking a node. */
@Injectable()
export class ReferenceBlocks {
  constructor(
    private readonly chain: VerifiedChain,
    private readonly finality: FinalityWatch,
    private readonly clock: Clock,
  ) {}

  /** The newest final block: bytes that name it are valid on every branch. @throws NodeUnavailableError */
  async final(): Promise<ReferenceBlock> {
    const tips = await this.current();
    return referenceTo(tips.final, tips);
  }

  /** A block above the final one, for bytes that are valid only on the branch with that block. @throws NodeUnavailableError */
  async onTopOf(block: { number: number; id: string }): Promise<ReferenceBlock> {
    return referenceTo(block, await this.current());
  }

  /** The block time by which everything is decided that time decides. @throws NodeUnavailableError */
  async headTimeMs(): Promise<number> {
    return (await this.current()).headTimeMs;
  }

  /**
   * The newest final block's, for what is to be valid, or not to be, at the head of every instance: they all lie beyond it. Genesis has
   * no time: while nothing after it is final, the head's is taken.
   * @throws NodeUnavailableError
   */
  async finalTimeMs(): Promise<number> {
    const { final, headTimeMs } = await this.current();
    return final.timeMs === 0 ? headTimeMs : final.timeMs;
  }

  /** For what is to be charged once it is final. @throws NodeUnavailableError while nothing becomes final */
  async requireFinality(): Promise<void> {
    await this.current();
    const problem = this.finalityProblem();
    if (problem !== null) throw new NodeUnavailableError(problem);
  }

  /** Why nothing is concluded now, without asking a node; null too before the first look, since an order would look first. */
  problem(): string | null {
    return this.chain.headers && this.chain.problem;
  }

  /** As `problem`, or why no order is begun. */
  orderProblem(): string | null {
    return this.problem() ?? this.finalityProblem();
  }

  /** However old. */
  lastHead(): BlockHeader | null {
    return this.chain.headers?.head ?? null;
  }

  /** For what is shown: as `lastTimeMs`, and by this instance's clock before the first look. */
  shownTimeMs(): number {
    return this.lastTimeMs() ?? this.clock.now().getTime();
  }

  /** As `headTimeMs`, however old. */
  lastTimeMs(): number | null {
    const { headers } = this.chain;
    return headers?.final ? headers.headTimeMs : null;
  }

  lastFinal(): BlockHeader | null {
    return this.chain.headers?.final ?? null;
  }

  /** A database whose final block is lower than this is one of an earlier state; null: that is not known yet. */
  rememberedNumber(): number | null {
    return this.chain.rememberedNumber;
  }

  /** This chain has another block at that height: what another instance has recorded of it may be of a branch that will be dropped. */
  contradicts({ number, id }: BlockId): boolean {
    const held = this.chain.headers?.at(number);
    return held !== undefined && held.id !== id;
  }

  /** Asks every node. @throws NodeUnavailableError */
  refresh(): Promise<Tips> {
    return this.chain.lookShortly();
  }

  private finalityProblem(): string | null {
    const [{ problem }, { lastFault }] = [this.finality, this.chain];
    return problem && (lastFault ? `${problem}: ${lastFault}` : problem);
  }

  private async current(): Promise<Tips> {
    return this.chain.ageMs < STALE_AFTER_MS ? this.chain.tips() : this.refresh();
  }
}

/**
 * After a pause of the network, or under a head that one witness has signed hours ahead, bytes could be expired already when they are
 * signed: a node that has this head would refuse them, and what they hold would wait until they are dead.
 */
function referenceTo({ number, id }: { number: number; id: string }, { head, signingTimeMs }: Tips): ReferenceBlock {
  const aheadMs = head.timeMs - signingTimeMs;
  if (aheadMs >= SHORTEST_LIFETIME_MS)
    throw new NodeUnavailableError(
      `block ${head.number} is ${Math.round(aheadMs / 1000)} s ahead of the time that two witnesses vouch for`,
    );
  return { number, id, headTimeMs: signingTimeMs };
}
