/** Each bucket ends where it is so much longer than it began: its middle is at most 2.5 % away from every time in it. */
const GROWTH = 1.05;

/** SQL: the bucket of a number of milliseconds; all below 1 ms are in the first. */
export const bucketOf = (ms: string): string =>
  `floor(ln(greatest((${ms})::float8, 1)) / ln(${GROWTH}::float8))::integer`;

export interface Bucket {
  readonly bucket: number;
  readonly orders: bigint;
}

/** Milliseconds within which this share of the orders was, in the middle of their bucket; null: there are no orders. */
export function millisecondsWithin(percent: number, buckets: readonly Bucket[]): number | null {
  const total = buckets.reduce((sum, { orders }) => sum + orders, 0n);
  const inOrder = buckets.toSorted((one, other) => one.bucket - other.bucket);
  let counted = 0n;
  for (const { bucket, orders } of inOrder) {
    counted += orders;
    if (orders > 0n && counted * 100n >= total * BigInt(percent)) return Math.round(GROWTH ** (bucket + 0.5));
  }
  return null;
}
