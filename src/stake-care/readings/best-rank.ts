import type { Candidate } from '../../chain/tron/node/stake-reads';

interface Ranked {
  /** From 1 on; null: it is not among the candidates. */
  readonly rank: number | null;
  readonly candidates: readonly Candidate[];
}

/** Among the nodes' lists, the one in which the witness stands best counts: a node alone that leaves it out, or puts others before it, makes no finding. */
export function bestRank([first, ...others]: readonly (readonly Candidate[])[], address: string): Ranked {
  const rankIn = (candidates: readonly Candidate[]) => candidates.findIndex((one) => one.address === address) + 1;
  const ranked = [first!, ...others].map((candidates) => ({ rank: rankIn(candidates) || null, candidates }));
  return ranked.reduce((best, one) => ((one.rank ?? Infinity) < (best.rank ?? Infinity) ? one : best));
}
