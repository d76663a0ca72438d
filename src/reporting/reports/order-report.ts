import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import type { Payer } from '../../delegation/order.entity';
import { type Days, RefusedAttemptRepository } from '../refusals/refused-attempt.repository';
import {
  BY_DAY,
  BY_DAY_OF_USER,
  BY_HOUR,
  BY_HOUR_OF_USER,
  type DayRow,
  EACH_DAY,
  LOST_BY_CODE,
  LOST_BY_CODE_OF_USER,
  LOST_BY_USER,
  type LostByCode,
  type LostByUser,
  type OrderCounts,
  PART,
  type ReportRow,
} from './order-report.statements';

export type { DayRow, LostByCode, LostByUser, OrderCounts };

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

/** Orders and money of a range of UTC days: an order counts on the day it was placed, its charge with it. */
@Injectable()
export class OrderReport {
  constructor(
    private readonly sql: Sql,
    private readonly refusals: RefusedAttemptRepository,
  ) {}

  /** By the hour, which is for a day or two, or by the day. */
  async read({ from, to }: Days, hourly: boolean, userId: string | null = null): Promise<Report> {
    const rows =
      userId === null
        ? await this.sql.rows(hourly ? BY_HOUR : BY_DAY, [from, to])
        : await this.sql.rows(hourly ? BY_HOUR_OF_USER : BY_DAY_OF_USER, [from, to, userId]);
    const of = (part: number) => rows.filter((row) => row.part === part);
    return {
      times: of(PART.time).map((row) => ({ ...countsOf(row), at: row.at! })),
      users: of(PART.user).map((row) => ({ ...countsOf(row), userId: row.user_id!, user: row.user! })),
      payers: of(PART.payer).map((row) => ({ ...countsOf(row), paidBy: row.paid_by! })),
      total: countsOf(of(PART.total)[0] ?? NOTHING),
      customers: { all: Number(rows[0]?.users ?? 0n), charged: Number(rows[0]?.charged_users ?? 0n) },
    };
  }

  /** By reason: refused attempts, and orders that were answered with a failure. */
  lostByCode({ from, to }: Days, userId: string | null = null): Promise<LostByCode[]> {
    return userId === null
      ? this.sql.rows(LOST_BY_CODE, [from, to])
      : this.sql.rows(LOST_BY_CODE_OF_USER, [from, to, userId]);
  }

  /** The customers and reasons with the most of them. */
  lostByUser({ from, to }: Days, limit: number): Promise<LostByUser[]> {
    return this.sql.rows(LOST_BY_USER, [from, to, limit]);
  }

  /** Refused attempts by UTC day. */
  refusedByDay(days: Days, userId: string | null = null): Promise<Map<string, bigint>> {
    return this.refusals.byDay(days, userId);
  }

  /** One day, by customer and payer. */
  day(day: string, next: string): Promise<DayRow[]> {
    return this.sql.rows(EACH_DAY, [day, next]);
  }
}

function countsOf(row: ReportRow | OrderCounts): OrderCounts {
  const { orders, succeeded, failed, charged_sun, energy, landed, activations, activated_sun } = row;
  return { orders, succeeded, failed, charged_sun, energy, landed, activations, activated_sun };
}
