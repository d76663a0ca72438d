import type { Sql } from '../../src/database/sql';

/** So many transactions, all open until they are ended. */
export async function openTransactions(sql: Sql, count: number): Promise<{ end: () => void; ended: Promise<unknown> }> {
  let end!: () => void;
  const held = new Promise<void>((resolve) => (end = resolve));
  const ended: Promise<void>[] = [];
  while (ended.length < count)
    await new Promise<void>((begun, refused) => {
      ended.push(sql.transaction(() => (begun(), held)));
      ended.at(-1)!.catch(refused);
    });
  return { end, ended: Promise.all(ended) };
}
