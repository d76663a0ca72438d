import { StackedChart } from '../charts/stacked-chart';
import { DataTable, groupDigits, shortTrx, Trx, useMessages } from '../layout/components';
import type { TimeBars, TimeBucket } from './time-buckets';

interface Props {
  readonly bars: TimeBars;
  /** Of the reader. */
  readonly timeZone: string;
}

/** Orders and money over time, as two pictures and as one table. */
export function TimeCharts({ bars: { of, buckets }, timeZone }: Props) {
  const messages = useMessages('business');
  const [first, last] = [buckets[0]!.from, buckets.at(-1)!.from];
  const sum = (key: Exclude<keyof TimeBucket, 'from'>) => buckets.reduce((all, bucket) => all + bucket[key], 0n);
  const withRefused = of === 'utc-days';
  const what = withRefused ? messages.chartOrders : messages.orders;
  const attempts = groupDigits(sum('orders') + sum('refused'));
  if (sum('orders') + sum('refused') === 0n) {
    return (
      <div class="empty">
        <p>{messages.noOrders}</p>
      </div>
    );
  }
  const titleOf = ({ from, succeeded, failed, refused }: TimeBucket) =>
    withRefused ? messages.barWithRefused(from, succeeded, failed, refused) : messages.bar(from, succeeded, failed);
  const nameOf = ({ from }: TimeBucket) => (of === 'hours' ? from.slice(11, 16) : from.slice(5));
  return (
    <>
      <div class="charts">
        <section>
          <h2>{what}</h2>
          <StackedChart
            id="orders"
            label={messages.chartLabel(what, first, last, attempts)}
            unit={messages.unitOrders}
            series={[
              { name: messages.succeeded, tone: 'good' },
              { name: messages.failed, tone: 'bad' },
              ...(withRefused ? [{ name: messages.refusedKey, tone: 'lost' } as const] : []),
            ]}
            buckets={buckets.map((bucket) => ({
              name: nameOf(bucket),
              title: titleOf(bucket),
              values: [bucket.succeeded, bucket.failed, bucket.refused].map(Number),
            }))}
          />
        </section>
        <section>
          <h2>{messages.chartMoney}</h2>
          <StackedChart
            id="money"
            label={messages.chartLabel(messages.chartMoney, first, last, shortTrx(sum('charged_sun')))}
            unit={messages.unitTrx}
            series={[{ name: messages.charged, tone: 'money' }]}
            buckets={buckets.map((bucket) => ({
              name: nameOf(bucket),
              title: `${bucket.from}: ${shortTrx(bucket.charged_sun)} TRX`,
              // A picture: its bars are no amounts.
              values: [Number(bucket.charged_sun / 1_000n) / 1_000],
            }))}
          />
        </section>
      </div>
      <details>
        <summary>{messages.asTable}</summary>
        <DataTable
          name={what}
          rows={buckets}
          empty={null}
          columns={[
            { name: messages.time(of === 'utc-days' ? 'UTC' : timeZone), heading: true, cell: ({ from }) => from },
            { name: messages.succeeded, numeric: true, cell: (row) => groupDigits(row.succeeded) },
            { name: messages.failed, numeric: true, cell: (row) => groupDigits(row.failed) },
            ...(withRefused
              ? [{ name: messages.refusedKey, numeric: true, cell: (row: TimeBucket) => groupDigits(row.refused) }]
              : []),
            { name: messages.charged, numeric: true, cell: (row) => <Trx sun={row.charged_sun} /> },
          ]}
        />
      </details>
    </>
  );
}
