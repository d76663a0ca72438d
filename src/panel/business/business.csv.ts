import { formatTrx } from '../../common/money/sun';
import type { Days, RefusedAttemptRepository } from '../../reporting/refusals/refused-attempt.repository';
import type { CustomerRow, OrderReport } from '../../reporting/reports/order-report';
import { type CsvColumns, csvFile, csvHeading, csvLines, csvText } from '../../common/csv';
import { addDays, dayIn, spanOf, type ZonedRange } from '../dates/date-range';
import { costsOf } from './costs';

const BATCH = 1_000;

const COLUMNS: CsvColumns<CustomerRow & { readonly day: string; readonly timeZone: string }> = [
  ['day', ({ day }) => day],
  ['customer', ({ user }) => csvText(user)],
  ['paid_by', (row) => row.paid_by],
  ['orders', ({ orders }) => orders],
  ['succeeded', ({ succeeded }) => succeeded],
  ['failed', ({ failed }) => failed],
  ['charged_trx', (row) => formatTrx(row.charged_sun)],
  ['energy', ({ energy }) => energy],
  ['landed', ({ landed }) => landed],
  ['activations', ({ activations }) => activations],
  ['activations_trx', (row) => formatTrx(row.activated_sun)],
  ['activation_fees_trx', (row) => formatTrx(costsOf(row).accountFeesSun)],
  ['time_zone', ({ timeZone }) => timeZone],
];

/** A day of the reader's after the other, each by customer and payer. */
export async function* businessCsv(report: OrderReport, { range, timeZone }: ZonedRange): AsyncGenerator<string> {
  yield csvHeading(COLUMNS.map(([name]) => name));
  // Nothing was ordered on the days to come.
  const end = addDays(dayIn(new Date(), timeZone), 1);
  for (let day = range.from; day < range.to && day < end; day = addDays(day, 1)) {
    const rows = await report.customers(spanOf({ range: { from: day, to: addDays(day, 1) }, timeZone }));
    if (rows.length > 0)
      yield csvLines(
        COLUMNS,
        rows.map((row) => ({ ...row, day, timeZone })),
      );
  }
}

const REFUSED: CsvColumns<Awaited<ReturnType<RefusedAttemptRepository['days']>>[number]> = [
  ['day', ({ day }) => day],
  ['customer', ({ user }) => csvText(user)],
  ['code', ({ code }) => code],
  ['attempts', ({ attempts }) => attempts],
  ['time_zone', () => 'UTC'],
];

/** Refused attempts by UTC day, customer and reason. */
export function refusedCsv(refusals: RefusedAttemptRepository, days: Days): AsyncGenerator<string> {
  return csvFile(REFUSED, (last) => refusals.days(days, last?.id ?? 0n, BATCH));
}
