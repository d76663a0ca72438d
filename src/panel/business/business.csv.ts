import { formatTrx } from '../../common/money/sun';
import type { Days, RefusedAttemptRepository } from '../../reporting/refusals/refused-attempt.repository';
import type { CustomerRow, OrderReport } from '../../reporting/reports/order-report';
import { csvHeading, csvLine, csvText } from '../csv/csv';
import { addDays, dayIn, spanOf, type ZonedRange } from '../dates/date-range';
import { costsOf } from './costs';

const BATCH = 1_000;

/** A day of the reader's after the other, each by customer and payer. */
export async function* businessCsv(report: OrderReport, { range, timeZone }: ZonedRange): AsyncGenerator<string> {
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
    'time_zone',
  ]);
  // Nothing was ordered on the days to come.
  const end = addDays(dayIn(new Date(), timeZone), 1);
  for (let day = range.from; day < range.to && day < end; day = addDays(day, 1)) {
    const rows = await report.customers(spanOf({ range: { from: day, to: addDays(day, 1) }, timeZone }));
    if (rows.length > 0) yield rows.map((row) => line(day, row, timeZone)).join('');
  }
}

function line(day: string, row: CustomerRow, timeZone: string): string {
  const { user, paid_by: paidBy, orders, succeeded, failed, energy, landed, activations } = row;
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
    timeZone,
  ]);
}

/** Refused attempts by UTC day, customer and reason. */
export async function* refusedCsv(refusals: RefusedAttemptRepository, days: Days): AsyncGenerator<string> {
  yield csvHeading(['day', 'customer', 'code', 'attempts', 'time_zone']);
  let after = 0n;
  for (;;) {
    const rows = await refusals.days(days, after, BATCH);
    if (rows.length === 0) return;
    yield rows.map(({ day, user, code, attempts }) => csvLine([day, csvText(user), code, attempts, 'UTC'])).join('');
    after = rows.at(-1)!.id;
  }
}
