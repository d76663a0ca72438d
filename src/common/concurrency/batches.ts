/** So many transactions of a block are recorded in one database transaction. */
const BATCH = 50;

/** In order of their ids: two instances that record one block lock its rows in the same order. */
export function batches<Row extends { readonly id: bigint }>(rows: readonly Row[]): Row[][] {
  const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return Array.from({ length: Math.ceil(sorted.length / BATCH) }, (_, at) =>
    sorted.slice(at * BATCH, (at + 1) * BATCH),
  );
}
