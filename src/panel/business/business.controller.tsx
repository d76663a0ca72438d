import { Get, Query } from '@nestjs/common';
import { BurnedBandwidthRepository } from '../../reporting/burned-bandwidth/burned-bandwidth.repository';
import { RefusedAttemptRepository } from '../../reporting/refusals/refused-attempt.repository';
import { OrderReport } from '../../reporting/reports/order-report';
import { utcDaysOf } from '../../reporting/reports/utc-days';
import { type AskedRange, rangeName, readRange, spanOf, type ZonedRange } from '../dates/date-range';
import { FirstRun } from '../first-run/first-run';
import type { Form } from '../http/form';
import { ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Export, Page, type Reply } from '../http/reply';
import { attentionItems } from '../overview/attention';
import { AttentionService } from '../overview/attention.service';
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
    private readonly attention: AttentionService,
    private readonly firstRun: FirstRun,
  ) {}

  @Get()
  async show(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const asked = readBusinessRange(visit, query);
    const { range, timeZone } = asked;
    const [business, attention] = await Promise.all([range && this.read({ range, timeZone }), this.attention.read()]);
    const shown = { asked, business, items: attentionItems(visit, attention) };
    const steps = await this.firstRun.ofOperator(attention.newOrders);
    return new Page(visit.messages.business.title, <BusinessPage {...shown} steps={steps} />);
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
