import { Get, Query } from '@nestjs/common';
import { BurnedBandwidthRepository } from '../../reporting/burned-bandwidth/burned-bandwidth.repository';
import { RefusedAttemptRepository } from '../../reporting/refusals/refused-attempt.repository';
import { OrderReport } from '../../reporting/reports/order-report';
import { utcDaysOf } from '../../reporting/reports/utc-days';
import { type AskedRange, rangeName, readRange, spanOf, type ZonedRange } from '../dates/date-range';
import type { Form } from '../http/form';
import { ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Export, Page, type Reply } from '../http/reply';
import { businessCsv, refusedCsv } from './business.csv';
import { type Business, BusinessPage } from './business.page';
import { isHourly, readBars } from './time-buckets';

const MOST_LOST = 20;
const FALLBACK = 7;

@PanelController('operator/business', 'operator')
export class BusinessController {
  constructor(
    private readonly reports: OrderReport,
    private readonly refusals: RefusedAttemptRepository,
    private readonly bandwidth: BurnedBandwidthRepository,
  ) {}

  @Get()
  async show(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const asked = readBusinessRange(visit, query);
    const { range, timeZone } = asked;
    const business = range && (await this.read({ range, timeZone }));
    return new Page(visit.messages.business.title, <BusinessPage asked={asked} business={business} />);
  }

  @Get('orders.csv')
  orders(@ThisVisit() visit: UserVisit, @Query() query: Form): Reply {
    const asked = readBusinessRange(visit, query);
    return new Export(`business${rangeName(asked)}.csv`, businessCsv(this.reports, rangeOf(asked)));
  }

  @Get('refused.csv')
  refused(@ThisVisit() visit: UserVisit, @Query() query: Form): Reply {
    const days = utcDaysOf(spanOf(rangeOf(readBusinessRange(visit, query))));
    return new Export(`refused${rangeName({ range: days })}.csv`, refusedCsv(this.refusals, days));
  }

  private async read(asked: ZonedRange): Promise<Business> {
    const span = spanOf(asked);
    const [report, burned, refused, lostByCode, lostByUser] = await Promise.all([
      this.reports.read(span, isHourly(asked.range)),
      this.bandwidth.sum(utcDaysOf(span)),
      this.reports.refusedByDay(span),
      this.reports.lostByCode(span),
      this.reports.lostByUser(span, MOST_LOST),
    ]);
    return { report, burned, bars: await readBars(this.reports, asked, report, refused), lostByCode, lostByUser };
  }
}

function readBusinessRange({ user: reader }: UserVisit, query: Form): AskedRange {
  return readRange(query, { fallback: FALLBACK, timeZone: reader.timeZone });
}

function rangeOf({ range, timeZone }: AskedRange): ZonedRange {
  if (!range) throw new PanelError('not-found');
  return { range, timeZone };
}
