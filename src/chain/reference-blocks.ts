import { Injectable } from '@nestjs/common';
import { type Tips, VerifiedChain } from './follower/verified-chain';
import type { BlockHeader } from './node/block-answer';

/** What a transaction is built on: the reference block it names, and the time from which its expiration counts. */
export interface ReferenceBlock {
  readonly number: number;
  readonly id: string;
  /** As `headTimeOf`. */
  readonly headTimeMs: number;
}

/** When nobody has looked for so long, a caller looks first: no follower runs in this process, or it has lost the nodes. */
const STALE_AFTER_MS = 6_000;
const MOST_AHEAD_OF_FINAL_MS = 120_000;

/**
 * The head's time, at most two minutes past the final block's, which is a minute old. One witness alone could sign a head that is hours
 * ahead: bytes that expire with it could land for hours, reclaims would come hours early, and what is open would not be sent again.
 * Genesis, which is final while a chain is young, has no time.
 */
export function headTimeOf({ head, final }: Tips): number {
  return final.timeMs === 0 ? head.timeMs : Math.min(head.timeMs, final.timeMs + MOST_AHEAD_OF_FINAL_MS);
}

/** Head and newest final block of the verified chain, so that an order is mostly signed without asking a node. */
@Injectable()
export class ReferenceBlocks {
  constructor(private readonly chain: VerifiedChain) {}

  /** The newest final block: bytes that name it are valid on every branch. @throws NodeUnavailableError */
  async final(): Promise<ReferenceBlock> {
    const tips = await this.current();
    return { number: tips.final.number, id: tips.final.id, headTimeMs: headTimeOf(tips) };
  }

  /** A block above the final one, for bytes that are valid only on the branch with that block. @throws NodeUnavailableError */
  async onTopOf(block: { number: number; id: string }): Promise<ReferenceBlock> {
    return { ...block, headTimeMs: await this.headTimeMs() };
  }

  /** As `headTimeOf`: the block time by which everything is decided that time decides. @throws NodeUnavailableError */
  async headTimeMs(): Promise<number> {
    return headTimeOf(await this.current());
  }

  /** Why nothing is begun now, without asking a node; null too before the first look, since an order would look first. */
  problem(): string | null {
    return this.chain.headers && this.chain.problem;
  }

  /** However old. */
  lastHead(): BlockHeader | null {
    return this.chain.headers?.head ?? null;
  }

  /** As `headTimeOf`, however old. */
  lastTimeMs(): number | null {
    const { headers } = this.chain;
    return headers?.final ? headTimeOf({ head: headers.head, final: headers.final }) : null;
  }

  lastFinal(): BlockHeader | null {
    return this.chain.headers?.final ?? null;
  }

  /** A database whose final block is lower than this is one of an earlier state; null: that is not known yet. */
  rememberedNumber(): number | null {
    return this.chain.rememberedNumber;
  }

  /** Asks every node. @throws NodeUnavailableError */
  refresh(): Promise<Tips> {
    return this.chain.lookShortly();
  }

  private async current(): Promise<Tips> {
    return this.chain.ageMs < STALE_AFTER_MS ? this.chain.tips() : this.refresh();
  }
}
