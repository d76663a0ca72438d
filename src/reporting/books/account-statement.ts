import { Injectable } from '@nestjs/common';
import type { LedgerKind } from '../../balance/balance.entities';
import { type CsvColumns, csvHeading, csvLine, csvLines, csvText } from '../../common/csv';
import { formatTrx } from '../../common/money/sun';
import { Sql, type SqlTransaction } from '../../database/sql';
import type { MomentRange } from '../reports/utc-days';
import * as statements from './account-statement.statements';
import type { AccountMovement } from './account-statement.statements';

/** What a page shows; the file has all. */
export const MOST_LINES = 1_000;
const BATCH = 2_000;

export interface StatementLine {
  readonly at: string;
  readonly kind: LedgerKind;
  readonly entries: number;
  readonly amountSun: bigint;
  readonly reference: string | null;
  readonly note: string | null;
}

export interface RangeTotals {
  readonly openingSun: bigint;
  readonly closingSun: bigint;
  /** The kinds that moved something. */
  readonly sums: readonly { readonly kind: LedgerKind; readonly entries: number; readonly sun: bigint }[];
}

export interface StatementView extends RangeTotals {
  /** Oldest first, charges by the UTC day; at most `MOST_LINES`. */
  readonly lines: readonly StatementLine[];
  readonly isCut: boolean;
}

/** What one account held before a range of time, each movement in it, and what it held after it. */
@Injectable()
export class AccountStatement {
  constructor(private readonly sql: Sql) {}

  read(userId: string, range: MomentRange): Promise<StatementView> {
    return this.sql.snapshot(async (tx) => {
      const of = [userId, range.from, range.to] as const;
      const { ends, sums } = await totalsOf(tx, userId, range);
      const lines = await tx.rows(statements.LINES, [...of, MOST_LINES + 1]);
      return {
        openingSun: ends.opening_sun,
        closingSun: ends.closing_sun,
        sums,
        lines: lines
          .slice(0, MOST_LINES)
          .map(({ sun, entries, ...line }) => ({ ...line, entries: Number(entries), amountSun: BigInt(sun) })),
        isCut: lines.length > MOST_LINES,
      };
    });
  }

  /** What a range begins and ends with, and what each kind moved in it. */
  totals(userId: string, range: MomentRange): Promise<RangeTotals> {
    return this.sql.snapshot(async (tx) => {
      const { ends, sums } = await totalsOf(tx, userId, range);
      return { openingSun: ends.opening_sun, closingSun: ends.closing_sun, sums };
    });
  }

  /** Every entry, between a line for what there was and one for what there is. */
  csv(userId: string, range: MomentRange): AsyncGenerator<string> {
    return this.sql.stream(async function* (tx) {
      const { ends } = await totalsOf(tx, userId, range);
      yield csvHeading(COLUMNS.map(([name]) => name));
      yield endLine('opening', range.from, ends.opening_sun);
      let [at, id] = ['-infinity', 0n];
      for (;;) {
        const rows = await tx.rows(statements.ENTRIES, [userId, range.from, range.to, at, id, BATCH]);
        yield csvLines(COLUMNS, rows);
        const last = rows.at(-1);
        if (!last || rows.length < BATCH) break;
        [at, id] = [last.at, last.id];
      }
      yield endLine('closing', range.to, ends.closing_sun);
    });
  }
}

async function totalsOf(tx: SqlTransaction, userId: string, { from, to }: MomentRange) {
  const rows = await tx.rows(statements.SUMS, [userId, from, to]);
  const sums = rows.map(({ kind, entries, sun }) => ({ kind, entries: Number(entries), sun: BigInt(sun) }));
  const movedSun = sums.reduce((sum, { sun }) => sum + sun, 0n);
  const ends = (await tx.row(statements.ENDS, [userId, from, to]))!;
  if (ends.opening_sun + movedSun === ends.closing_sun) return { ends, sums };
  return { ends: (await tx.row(statements.EXACT_ENDS, [userId, from, to]))!, sums };
}

function endLine(kind: 'opening' | 'closing', at: Date, sun: bigint): string {
  return csvLine(['', at.toISOString(), kind, '', formatTrx(sun), '', '', '']);
}

const COLUMNS: CsvColumns<AccountMovement> = [
  ['id', ({ id }) => id],
  ['time', ({ at }) => at],
  ['kind', ({ kind }) => kind],
  ['amount_trx', ({ amountSun }) => formatTrx(amountSun)],
  ['balance_trx', ({ balanceSun }) => formatTrx(balanceSun)],
  ['order', ({ delegationId }) => delegationId],
  ['reference', ({ reference }) => csvText(reference)],
  ['note', ({ note }) => csvText(note)],
];
