import { Injectable } from '@nestjs/common';
import { neededWitnesses } from '../proof/final-height';
import type { HeaderChain } from '../proof/header-chain';
import { BlockClock } from './block-clock';
import { ChainProof } from './chain-proof';
import { SlotLength } from './slot-length';

/** TRON's active witnesses, for how long a turn of them takes: with `CHAIN_PROOF=nodes` not all of them are known. */
const USUAL_WITNESSES = 27;
/** A maintenance leaves two slots without a block, at most once in a round. */
const MAINTENANCE_SLOTS = 2;
/** A process that was stopped for a moment must not take that for a stall, however short the network's blocks are. */
const SHORTEST_ROUND_MS = 5_000;
/** Rounds without a new final block after which nothing new is begun. */
const ROUNDS_TO_BEGIN_NOTHING = 2;

/**
 * Whether the blocks that come can still become final. On a branch that only a part of the witnesses builds, they never do: another
 * branch replaces it once the others are back. A round is one turn of each witness.
 */
@Injectable()
export class FinalityWatch {
  private chain: HeaderChain | null = null;
  private finalNumber = 0;
  /** On the monotonic clock: since when no new block is final. */
  private sinceMs = 0;

  constructor(
    private readonly proof: ChainProof,
    private readonly slots: SlotLength,
    private readonly clock: BlockClock,
  ) {}

  /** After each look. */
  saw(chain: HeaderChain): void {
    const { number } = chain.final!;
    // A process that was stopped sees a new final block of before a stall, long after that stall began; and perhaps an old head first, by an
    // answer that waited for it: then the heads that follow say how long ago that was.
    const sinceMs = this.clock.monotonicMs() - this.heldBackMs(chain);
    const isSame = number === this.finalNumber && this.chain !== null;
    this.sinceMs = isSame ? Math.min(this.sinceMs, sinceMs) : sinceMs;
    [this.chain, this.finalNumber] = [chain, number];
  }

  /** Why a transaction may come to nothing although a block of the chain includes it; null when none of it is to be seen. */
  get doubt(): string | null {
    const { chain } = this;
    if (!chain) return null;
    return this.missingMakers(chain) ?? this.stalled(chain, 1);
  }

  /** Why nothing new is to be begun, or null. */
  get problem(): string | null {
    return this.chain && this.stalled(this.chain, ROUNDS_TO_BEGIN_NOTHING);
  }

  private get witnesses(): number {
    return this.proof.judge.witnesses.length || USUAL_WITNESSES;
  }

  private stalled(chain: HeaderChain, rounds: number): string | null {
    const forMs = this.clock.monotonicMs() - this.sinceMs;
    const roundMs = Math.max(SHORTEST_ROUND_MS, (this.witnesses + MAINTENANCE_SLOTS) * this.slots.ofMs(chain));
    if (forMs < rounds * roundMs) return null;
    return `no new final block for ${Math.round(forMs / 1000)} s (the last is ${this.finalNumber}, the newest block ${chain.head.number})`;
  }

  /** Says so when too few of the witnesses that finality needs have made a block in the last slots. */
  private missingMakers(chain: HeaderChain): string | null {
    const { judge } = this.proof;
    const count = judge.witnesses.length || makersOf(chain).size;
    const fromMs = chain.head.timeMs - count * this.slots.ofMs(chain);
    const makers = new Set<string>();
    let [looked, isWhole] = [0, false];
    for (const header of chain.newestFirst()) {
      // No witness made genesis.
      if (header.number === 0) break;
      isWhole = looked === count || header.timeMs <= fromMs;
      if (isWhole) break;
      looked++;
      if (header.witness !== null && judge.believes(header)) makers.add(header.witness);
    }
    // In a chain that is younger, or not known so far down, as large a share is needed.
    const needed = neededWitnesses(isWhole ? count : looked);
    if (makers.size >= needed) return null;
    return `only ${makers.size} of ${count} witnesses have made blocks in the last ${count} slots, ${needed} are needed for one to be final`;
  }

  /** How long final blocks have been held back by now, by block time. A gap without any block counts as one round at most. */
  private heldBackMs(chain: HeaderChain): number {
    const roundMs = this.witnesses * this.slots.ofMs(chain);
    let [sumMs, above] = [0, chain.head];
    for (const header of chain.newestFirst()) {
      sumMs += Math.min(roundMs, above.timeMs - header.timeMs);
      if (header.number <= chain.final!.number) break;
      above = header;
    }
    // As far as finality is behind a healthy head.
    return Math.max(0, sumMs - roundMs);
  }
}

/**
 * With `CHAIN_PROOF=nodes`, the witnesses: all who have made a block since a little before the newest final one, which takes as many as
 * finality needs.
 */
function makersOf(chain: HeaderChain): Set<string> {
  return new Set([...chain.newestFirst()].flatMap(({ witness }) => witness ?? []));
}
