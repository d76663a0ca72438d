import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import type { Payer } from '../../delegation/order.entity';
import { RefusedAttemptRepository } from '../refusals/refused-attempt.repository';
import type { BarRow, CustomerRow, LostByCode, LostByUser, OrderCounts, ReportRow } from './order-report.statements';
import * as statements from './order-report.statements';
import { type MomentRange, utcDaysOf } from './utc-days';

export type { BarRow, CustomerRow, LostByCode, LostByUser, OrderCounts };

export interface Report {
  /** Empty buckets are left out. */
  readonly times: readonly (OrderCounts & { readonly at: Date })[];
  /** The customers who were charged most. */
  readonly users: readonly (OrderCounts & { readonly userId: string; readonly user: string })[];
  readonly payers: readonly (OrderCounts & { readonly paidBy: Payer })[];
  readonly total: OrderCounts;
  /** How many customers ordered, and how many of them were charged. */
  readonly customers: { readonly all: number; readonly charged: number };
}

const NOTHING: OrderCounts = {
  orders: 0n,
  succeeded: 0n,
  failed: 0n,
  charged_sun: 0n,
  energy: 0n,
  landed: 0n,
  activations: 0n,
  activated_sun: 0n,
};

/** Orders and money of a range, to the microsecond, of any zone's days: an order counts where it was placed, its charge with it. */
@Injectable()
export class OrderReport {
  constructor(
    private readonly sql: Sql,
    private readonly refusals: RefusedAttemptRepository,
  ) {}

  /**
   * By the hour from its first moment, which is for a day or two; or by the UTC day, which of the first and the last one counts what lies in
   * the range.
   */
  async read({ from, to }: MomentRange, hourly: boolean, userId: string | null = null): Promise<Report> {
    const rows =
      userId === null
        ? await this.sql.rows(hourly ? statements.BY_HOUR : statements.BY_DAY, [from, to])
        : await this.sql.rows(hourly ? statements.BY_HOUR_OF_USER : statements.BY_DAY_OF_USER, [from, to, userId]);
    const of = (part: number) => rows.filter((row) => row.part === part);
    return {
      times: of(statements.PART.time).map((row) => ({ ...countsOf(row), at: row.at! })),
      users: of(statements.PART.user).map((row) => ({ ...countsOf(row), userId: row.user_id!, user: row.user! })),
      payers: of(statements.PART.payer).map((row) => ({ ...countsOf(row), paidBy: row.paid_by! })),
      total: countsOf(of(statements.PART.total)[0] ?? NOTHING),
      customers: { all: Number(rows[0]?.users ?? 0n), charged: Number(rows[0]?.charged_users ?? 0n) },
    };
  }

  /** Order by order, so for a bounded number of them: by the bars that begin at these moments; those without orders are left out. */
  bars({ from, to }: MomentRange, begins: readonly Date[], userId: string | null = null): Promise<BarRow[]> {
    return userId === null
      ? this.sql.rows(statements.BY_BAR, [from, to, begins])
      : this.sql.rows(statements.BY_BAR_OF_USER, [from, to, begins, userId]);
  }

  /** By reason: refused attempts, of whole UTC days, and orders that were answered with a failure. */
  lostByCode({ from, to }: MomentRange, userId: string | null = null): Promise<LostByCode[]> {
    return userId === null
      ? this.sql.rows(statements.LOST_BY_CODE, [from, to])
      : this.sql.rows(statements.LOST_BY_CODE_OF_USER, [from, to, userId]);
  }

  /** The customers and reasons with the most of them. */
  lostByUser({ from, to }: MomentRange, limit: number): Promise<LostByUser[]> {
    return this.sql.rows(statements.LOST_BY_USER, [from, to, limit]);
  }

  /** Refused attempts by UTC day, of each that the range touches. */
  refusedByDay(range: MomentRange, userId: string | null = null): Promise<Map<string, bigint>> {
    return this.refusals.byDay(utcDaysOf(range), userId);
  }

  /** By customer and payer. */
  customers({ from, to }: MomentRange): Promise<CustomerRow[]> {
    return this.sql.rows(statements.EACH_CUSTOMER, [from, to]);
  }
}

function countsOf(row: ReportRow | OrderCounts): OrderCounts {
  const { orders, succeeded, failed, charged_sun, energy, landed, activations, activated_sun } = row;
  return { orders, succeeded, failed, charged_sun, energy, landed, activations, activated_sun };
}
