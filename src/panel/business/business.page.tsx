import type { Burned } from '../../reporting/burned-bandwidth/burned-bandwidth.repository';
import type { LostByCode, LostByUser, Report } from '../../reporting/reports/order-report';
import { type AskedRange, daysIn, rangeQuery, type ZonedRange } from '../dates/date-range';
import { RangeForm } from '../dates/date-range.form';
import { groupDigits, percentOf, shortTrx, Tile, useMessages } from '../layout/components';
import { CostTable, CustomerTable, LostByCodeTable, LostByUserTable, PayerTable } from './business-tables';
import { activationCostSun, bandwidthCostsOf, costsOf } from './costs';
import { RangeNote } from './range-note';
import type { TimeBars } from './time-buckets';
import { TimeCharts } from './time-charts';

export interface Business {
  readonly report: Report;
  /** Of each UTC day that the range touches. */
  readonly burned: Burned;
  readonly bars: TimeBars;
  readonly lostByCode: readonly LostByCode[];
  readonly lostByUser: readonly LostByUser[];
}

interface Props {
  readonly asked: AskedRange;
  /** Null: no range that could be shown. */
  readonly business: Business | null;
}

export const BUSINESS_PATH = '/panel/operator/business';

export function BusinessPage({ asked, business }: Props) {
  const messages = useMessages('business');
  const query = rangeQuery(asked);
  const { range, timeZone } = asked;
  return (
    <>
      <div class="head">
        <h1>{messages.title}</h1>
        {business && (
          <p class="buttons">
            <a href={`${BUSINESS_PATH}/orders.csv?${query}`} download>
              {messages.download}
            </a>
            <a href={`${BUSINESS_PATH}/refused.csv?${query}`} download>
              {messages.downloadRefused}
            </a>
          </p>
        )}
      </div>
      <RangeForm asked={asked} action={BUSINESS_PATH} />
      {business && range && <Content asked={{ range, timeZone }} business={business} />}
    </>
  );
}

interface ContentProps {
  readonly asked: ZonedRange;
  readonly business: Business;
}

function Content({ asked, business }: ContentProps) {
  const messages = useMessages('business');
  const { report, burned, bars, lostByCode, lostByUser } = business;
  return (
    <>
      <BusinessTiles asked={asked} business={business} />
      <TimeCharts bars={bars} timeZone={asked.timeZone} />
      <RangeNote asked={asked} bars={bars} />
      <h2>{messages.byUser}</h2>
      <CustomerTable report={report} />
      <div class="charts">
        <section>
          <h2>{messages.byPayer}</h2>
          <PayerTable report={report} />
        </section>
        <section>
          <h2>{messages.onChain}</h2>
          <CostTable costs={costsOf(report.total)} bandwidth={bandwidthCostsOf(report.total, burned)} />
        </section>
      </div>
      <h2>{messages.lostByCode}</h2>
      <p>{messages.lostText}</p>
      <LostByCodeTable rows={lostByCode} />
      <h2>{messages.lostByUser}</h2>
      <LostByUserTable rows={lostByUser} />
    </>
  );
}

function BusinessTiles({ asked: { range }, business }: ContentProps) {
  const messages = useMessages('business');
  const { report, burned, lostByCode } = business;
  const { orders, succeeded, failed, charged_sun: chargedSun, energy } = report.total;
  const costs = costsOf(report.total);
  const bandwidth = bandwidthCostsOf(report.total, burned);
  const refused = lostByCode.reduce((sum, row) => sum + row.refused, 0n);
  const tenthsADay = (orders * 10n) / BigInt(daysIn(range));
  return (
    <div class="tiles dense">
      <Tile
        name={messages.orders}
        value={groupDigits(orders)}
        note={messages.ordersNote(groupDigits(`${tenthsADay / 10n}.${tenthsADay % 10n}`), groupDigits(energy))}
      />
      <Tile
        name={messages.success}
        value={percentOf(succeeded, succeeded + failed) ?? '–'}
        note={messages.successNote(groupDigits(succeeded), groupDigits(failed))}
      />
      <Tile
        name={messages.charged}
        value={shortTrx(chargedSun)}
        note={messages.chargedNote(report.customers.charged)}
      />
      <Tile
        name={messages.costs}
        value={shortTrx(activationCostSun(costs))}
        note={messages.costsNote(groupDigits(costs.activations))}
      />
      <Tile
        name={messages.left}
        value={shortTrx(chargedSun - activationCostSun(costs) - bandwidth.burnedSun)}
        note={messages.leftNote(shortTrx(bandwidth.burnedSun), shortTrx(bandwidth.unreadAtMostSun))}
      />
      <Tile name={messages.refused} value={groupDigits(refused)} note={messages.refusedNote} />
    </div>
  );
}
