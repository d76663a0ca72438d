import { Injectable } from '@nestjs/common';
import type { HeaderChain } from '../proof/header-chain';

/** TRON's slots. A test network may have shorter ones. */
const LONGEST_MS = 3_000;
/** Blocks that are closer together were made out of turn. */
const SHORTEST_MS = 50;

/** How long the turn of one witness is, as the headers that are kept show it: a turn that passed without a block makes a gap longer. */
@Injectable()
export class SlotLength {
  private of: { readonly headId: string; readonly ms: number } | null = null;

  ofMs(chain: HeaderChain): number {
    const { id: headId } = chain.head;
    if (this.of?.headId !== headId) this.of = { headId, ms: Math.min(LONGEST_MS, medianGapMs(chain)) };
    return this.of.ms;
  }
}

function medianGapMs(chain: HeaderChain): number {
  const times = [...chain.newestFirst()].map(({ timeMs }) => timeMs);
  const gaps = times.slice(1).map((timeMs, at) => times[at]! - timeMs);
  const ofTurns = gaps.filter((ms) => ms >= SHORTEST_MS).toSorted((a, b) => a - b);
  return ofTurns[Math.floor(ofTurns.length / 2)] ?? LONGEST_MS;
}
