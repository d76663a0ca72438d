import type { End, OrderRow } from './checker';

/** What the reconciler may find whatever happens: a thing of the moment, said of what is under way, of nodes and of what is left in a wallet. */
const PASSING =
  /^(stuck_transaction|abandoned_order|unsigned_order|overdue_reclaim|low_\w+|wallet_refused|wallet_unread|block_unreadable|free_activations)$/;
/** And when somebody else uses a wallet. */
const FOREIGN =
  /^(shortage|delegation_missing|delegation_double|delegation_foreign|undelegation_foreign|returned_stake_lent|foreign_stake_\w+)$/;

interface FindingRow {
  readonly kind: string;
  readonly subject: string;
  readonly subject_id: string | null;
  readonly reason: string;
  readonly is_open: boolean;
}

/** The reconciler ran all the time. It has to have found what was missing, and nothing that was not; and repaired nothing, for nothing was broken. */
export async function checkFindings({ database, chain, tally }: End, orders: readonly OrderRow[]): Promise<string[]> {
  const { rows } = await database.query<FindingRow>(
    'select kind, subject, subject_id, reason, resolved_at is null as is_open from findings order by id',
  );
  for (const { kind } of rows) tally.add(`found ${kind}`);
  const isUsedByOthers = chain.foreignTxIds.size > 0;
  const wrong = rows
    .filter(({ kind }) => !PASSING.test(kind) && !(isUsedByOthers && FOREIGN.test(kind)))
    .map(({ kind, subject, reason }) => `the reconciler found ${kind} of ${subject}, which is not so: ${reason}`);
  const found = new Set(
    rows.filter(({ kind, is_open: isOpen }) => kind === 'shortage' && isOpen).map(({ subject_id: id }) => id),
  );
  const missed = orders
    .filter(({ id, shortage_sun: sun }) => BigInt(sun) > 0n && !found.has(id))
    .map(({ id, shortage_sun: sun }) => `of order ${id}, ${sun} sun are missing, and the reconciler did not find it`);
  const { rows: paused } = await database.query<{ name: string }>(
    `select name from pool_wallets where state = 'paused'`,
  );
  const needlessly = isUsedByOthers ? [] : paused.map(({ name }) => `${name} is paused, and nobody else has used it`);
  return [...wrong, ...missed, ...needlessly];
}
