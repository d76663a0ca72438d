/** Nodes count a block as solid once more than seven of ten witnesses have built on it: their SOLIDIFIED_THRESHOLD. */
const THRESHOLD = 0.7;
/** As far behind that height as nodes may serve it, and as a node that was restarted can step back. */
const BEHIND_SOLID = 2;

/** How many of `n` active witnesses may be silent, or wrong, while the others make blocks final: 8 of 27. */
export function mostMissing(n: number): number {
  // As java-tron counts, to the rounding of its doubles.
  return Math.trunc(n * (1 - THRESHOLD));
}

/** So many of `n` active witnesses make a block final by building on it: 19 of 27. */
export function neededWitnesses(n: number): number {
  return n - mostMissing(n);
}

/**
 * The newest final height, by the newest height that each active witness has signed (0: none that was seen): two below the one that
 * all but `mostMissing` have reached. 0 when too few have signed: the genesis block is always final.
 */
export function finalHeight(newestHeights: readonly number[]): number {
  const solid = newestHeights.toSorted((a, b) => a - b)[mostMissing(newestHeights.length)] ?? 0;
  return Math.max(0, solid - BEHIND_SOLID);
}

/**
 * The newest height that more witnesses than `wrong` have signed or built on, by the same heights: at least one of them is honest, and
 * honest witnesses refuse blocks that are ahead of time. Two where fewer would do, except where there is only one witness. 0 when too
 * few have signed.
 */
export function vouchedHeight(newestHeights: readonly number[], wrong = mostMissing(newestHeights.length)): number {
  const others = Math.min(Math.max(1, wrong), newestHeights.length - 1);
  return newestHeights.toSorted((a, b) => b - a)[others] ?? 0;
}
