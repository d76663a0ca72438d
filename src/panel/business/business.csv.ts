import { formatTrx } from '../../common/money/sun';
import type { RefusedAttemptRepository } from '../../reporting/refusals/refused-attempt.repository';
import type { DayRow, OrderReport } from '../../reporting/reports/order-report';
import { csvHeading, csvLine, csvText } from '../csv/csv';
import { addDays, dayOf, type Range } from '../dates/date-range';
import { costsOf } from './costs';

const BATCH = 1_000;

/** A day after the other, each by customer and payer. */
export async function* businessCsv(report: OrderReport, { from, to }: Range): AsyncGenerator<string> {
  yield csvHeading([
    'day',
    'customer',
    'paid_by',
    'orders',
    'succeeded',
    'failed',
    'charged_trx',
    'energy',
    'landed',
    'activations',
    'activations_trx',
    'activation_fees_trx',
  ]);
  // Nothing was ordered on the days to come.
  const end = addDays(dayOf(new Date()), 1);
  for (let day = from; day < to && day < end; day = addDays(day, 1)) {
    const rows = await report.day(day, addDays(day, 1));
    if (rows.length > 0) yield rows.map(line).join('');
  }
}

function line(row: DayRow): string {
  const { day, user, paid_by: paidBy, orders, succeeded, failed, energy, landed, activations } = row;
  const charged = formatTrx(row.charged_sun);
  const activated = formatTrx(row.activated_sun);
  return csvLine([
    day,
    csvText(user),
    paidBy,
    orders,
    succeeded,
    failed,
    charged,
    energy,
    landed,
    activations,
    activated,
    formatTrx(costsOf(row).accountFeesSun),
  ]);
}

/** Refused attempts by day, customer and reason. */
export async function* refusedCsv(refusals: RefusedAttemptRepository, range: Range): AsyncGenerator<string> {
  yield csvHeading(['day', 'customer', 'code', 'attempts']);
  let after = 0n;
  for (;;) {
    const rows = await refusals.days(range, after, BATCH);
    if (rows.length === 0) return;
    yield rows.map(({ day, user, code, attempts }) => csvLine([day, csvText(user), code, attempts])).join('');
    after = rows.at(-1)!.id;
  }
}
