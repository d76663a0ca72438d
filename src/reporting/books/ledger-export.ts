import { Injectable } from '@nestjs/common';
import type { LedgerKind } from '../../balance/balance.entities';
import { type CsvColumns, csvHeading, csvLines, csvText } from '../../common/csv';
import { Clock } from '../../common/clock';
import { DomainError } from '../../common/errors/domain.error';
import { formatTrx } from '../../common/money/sun';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { utcMicroseconds } from '../../database/utc-timestamp';
import type { MomentRange } from '../reports/utc-days';

/** So many are in memory at a time, however many there are. */
export const BATCH = 2_000;

export interface BookedMovement {
  readonly id: bigint;
  /** UTC with microseconds. */
  readonly at: string;
  readonly userId: string;
  /** The address that the account's user has now. */
  readonly user: string;
  readonly kind: LedgerKind;
  readonly amountSun: bigint;
  readonly balanceSun: bigint;
  readonly delegationId: string | null;
  readonly subscriptionId: string | null;
  readonly reference: string | null;
  readonly note: string | null;
}

type Place = readonly [at: string, id: bigint];
const BEGINNING: Place = ['-infinity', 0n];

/** The page is cut before users are joined to it: no plan reads more of the ledger than that. */
const PAGE = statement<[from: Date, to: Date, afterAt: string, afterId: bigint, limit: number], BookedMovement>(
  'books_ledger_page',
  `
    with page as materialized (
      select id, at, user_id, kind, amount_sun, balance_sun, delegation_id, subscription_id, reference, note
      from ledger_entries
      where at >= $1 and at < $2 and (at, id) > ($3::text::timestamptz, $4::bigint)
      order by at, id limit $5
    )
    select e.id, ${utcMicroseconds('e.at')} as at, e.user_id as "userId", u.email as user, e.kind, e.amount_sun as "amountSun",
           e.balance_sun as "balanceSun", e.delegation_id as "delegationId", e.subscription_id as "subscriptionId",
           e.reference, e.note
    from page e join users u on u.id = e.user_id
    order by e.at, e.id`,
);

const LOOK_MS = 100;
/** No transaction of the service lasts so long. */
const LONGEST_WAIT_MS = 60_000;

/** One of its own: all that are open have a lower one. The end of a snapshot would not do, for it may be the lowest of the open ones. */
const OWN_XID = statement<[], { xid: string }>('books_own_xid', 'select pg_current_xact_id()::text as xid');
const HAVE_ENDED = statement<[xid: string], { ended: boolean }>(
  'books_have_ended',
  'select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as ended',
);

/** The whole ledger: every movement of every account. */
@Injectable()
export class LedgerExport {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /**
   * Each movement of the range once, by time and number, a batch at a time, as the ledger was when the first was read. What was being
   * booked by then is in it too: adjoining ranges that are over have each movement once.
   * @throws DomainError
   */
  async *read({ from, to }: MomentRange): AsyncGenerator<readonly BookedMovement[]> {
    await this.openOnesEnded();
    yield* this.sql.stream(async function* (tx) {
      for (let after = BEGINNING; ;) {
        const rows = await tx.rows(PAGE, [from, to, ...after, BATCH]);
        if (rows.length > 0) yield rows;
        const last = rows.at(-1);
        if (!last || rows.length < BATCH) return;
        after = [last.at, last.id];
      }
    });
  }

  /** A movement gets its time after its transaction has locked the account, and so has an xid: what has one now may be of the range. */
  private async openOnesEnded(): Promise<void> {
    const { xid } = (await this.sql.row(OWN_XID))!;
    const begunMs = this.clock.monotonicMs();
    while (!(await this.sql.row(HAVE_ENDED, [xid]))!.ended) {
      if (this.clock.monotonicMs() - begunMs >= LONGEST_WAIT_MS) throw new DomainError('books.transaction-open');
      await this.clock.sleep(LOOK_MS);
    }
  }

  /** As a file; `isForPrograms`: without the mark that spreadsheets look for. */
  async *csv(range: MomentRange, isForPrograms = false): AsyncGenerator<string> {
    const names = COLUMNS.map(([name]) => name);
    yield isForPrograms ? csvHeading(names, '') : csvHeading(names);
    for await (const rows of this.read(range)) yield csvLines(COLUMNS, rows);
  }

  /** As one JSON array, a movement a line. */
  async *json(range: MomentRange): AsyncGenerator<string> {
    let before = '[\n';
    for await (const rows of this.read(range)) {
      yield before + rows.map((row) => JSON.stringify(movementDocument(row))).join(',\n');
      before = ',\n';
    }
    yield before === '[\n' ? '[]\n' : '\n]\n';
  }
}

export function movementDocument(entry: BookedMovement) {
  return {
    id: entry.id.toString(),
    at: entry.at,
    user_id: entry.userId,
    user: entry.user,
    kind: entry.kind,
    amount: formatTrx(entry.amountSun),
    balance: formatTrx(entry.balanceSun),
    delegation_id: entry.delegationId,
    subscription_id: entry.subscriptionId,
    reference: entry.reference,
    note: entry.note,
  };
}

const COLUMNS: CsvColumns<BookedMovement> = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['user_id', ({ userId }) => userId],
  ['user', ({ user }) => csvText(user)],
  ['kind', ({ kind }) => kind],
  ['amount', ({ amountSun }) => formatTrx(amountSun)],
  ['balance', ({ balanceSun }) => formatTrx(balanceSun)],
  ['delegation_id', ({ delegationId }) => delegationId],
  ['subscription_id', ({ subscriptionId }) => subscriptionId],
  ['reference', ({ reference }) => csvText(reference)],
  ['note', ({ note }) => csvText(note)],
];
