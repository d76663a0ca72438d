/** Every so many blocks, the id of the block joins the trail. */
export const TRAIL_STEP = 20;

/** A block's id begins with its height. */
export const heightOf = (id: string): number => Number.parseInt(id.slice(0, 16), 16);

/**
 * Ids of earlier final blocks, the newest first: the further back, the wider apart, so that some fifty reach through years. A block that is
 * on both of two branches is found by them, no further below the fork than the fork is below the newest.
 */
export function nextTrail(trail: readonly string[], { number, id }: { number: number; id: string }): string[] {
  return [id, ...trail].filter((one) => {
    const steps = (number - heightOf(one)) / TRAIL_STEP;
    const spacing = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, steps))) - 1);
    return steps >= 0 && (heightOf(one) / TRAIL_STEP) % spacing === 0;
  });
}
