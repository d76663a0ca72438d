import type { Queryable } from '../../database/sql';
import { type Statement, statement } from '../../database/statement';
import { type Finding, finding } from '../../findings/finding';
import type { BrokenRow, Check, CheckedTable, Key, RowCheck } from './check';

/** The rows to look at, by table; a table that is not named is not looked at. */
export type Keys = Partial<Record<CheckedTable, readonly Key[]>>;

export interface Checked {
  /** How many rows of each kind were looked at. */
  checked: Record<string, number>;
  findings: Finding[];
}

interface KeyColumn {
  readonly column: string;
  readonly first: Key;
  readonly batch: number;
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** So few together that no statement comes near its time limit, whatever belongs to a row. */
const KEY_COLUMNS: Readonly<Record<CheckedTable, KeyColumn>> = {
  users: { column: 'id', first: BEFORE_ALL, batch: 5_000 },
  accounts: { column: 'user_id', first: BEFORE_ALL, batch: 2_000 },
  ledger_entries: { column: 'id', first: 0n, batch: 5_000 },
  deposits: { column: 'id', first: BEFORE_ALL, batch: 5_000 },
  /** Each sums up all its orders. */
  subscriptions: { column: 'id', first: BEFORE_ALL, batch: 50 },
  token_days: { column: 'id', first: 0n, batch: 50 },
  holds: { column: 'delegation_id', first: BEFORE_ALL, batch: 5_000 },
  delegations: { column: 'id', first: BEFORE_ALL, batch: 5_000 },
  chain_transactions: { column: 'id', first: 0n, batch: 5_000 },
};
type NextKeys = Statement<[after: Key, limit: number], { key: Key }>;
const NEXT_KEYS = new Map<string, NextKeys>(
  Object.entries(KEY_COLUMNS).map(([table, { column }]) => [
    table,
    statement(
      `audit_next_${table}`,
      `select ${column} as key from ${table} where ${column} > $1 order by ${column} limit $2`,
    ),
  ]),
);

/**
 * Every check over every row, or over the rows of `keys` alone. No statement looks at more than a batch and no snapshot
 * outlives one, so that tables of any size stay within the statement's time limit and are vacuumed meanwhile.
 */
export async function runChecks(
  db: Queryable,
  checks: readonly Check[],
  { keys, signal, onBatch }: { keys?: Keys; signal?: AbortSignal; onBatch?: () => Promise<void> } = {},
): Promise<Checked> {
  const result: Checked = { checked: {}, findings: [] };
  for (const table of Object.keys(KEY_COLUMNS) as CheckedTable[]) {
    const ofTable = checks.filter((check): check is RowCheck => check.of === table);
    if (ofTable.length === 0) continue;
    result.checked[table] = 0;
    const batches = keys ? inBatches(keys[table] ?? [], KEY_COLUMNS[table].batch) : wholeTable(db, table);
    for await (const batch of batches) {
      signal?.throwIfAborted();
      result.checked[table] += batch.length;
      for (const check of ofTable) {
        result.findings.push(...findingsOf(check, await db.rows(check.statement, [batch])));
      }
      await onBatch?.();
    }
  }
  for (const check of checks) {
    if (check.of !== 'open') continue;
    for (const found of findingsOf(check, await db.rows(check.statement))) result.findings.push(found);
  }
  return result;
}

async function* wholeTable(db: Queryable, table: CheckedTable): AsyncGenerator<Key[]> {
  const { first, batch } = KEY_COLUMNS[table];
  const next = NEXT_KEYS.get(table)!;
  for (let after = first; ;) {
    const keys = (await db.rows(next, [after, batch])).map(({ key }) => key);
    if (keys.length > 0) yield keys;
    if (keys.length < batch) return;
    after = keys.at(-1)!;
  }
}

function* inBatches(keys: readonly Key[], size: number): Generator<readonly Key[]> {
  for (let at = 0; at < keys.length; at += size) yield keys.slice(at, at + size);
}

function findingsOf({ code, subject }: Check, rows: readonly BrokenRow[]): Finding[] {
  return rows.map(({ subject_id: id, subject_type: type, acknowledgeable_sun: amountSun, ...parameters }) =>
    finding(code, parameters, { type: type ?? subject, id }, amountSun),
  );
}
