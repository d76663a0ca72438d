import { Get, Query } from '@nestjs/common';
import { RefusedAttemptRepository } from '../../reporting/refusals/refused-attempt.repository';
import { OrderReport } from '../../reporting/reports/order-report';
import { CSV_TYPE } from '../csv/csv';
import { type AskedRange, type Range, rangeName, readRange } from '../dates/date-range';
import { FirstRun } from '../first-run/first-run';
import type { Form } from '../http/form';
import { CurrentPageContext, type SignedInPageContext } from '../http/page-context';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Export, Page, type Reply } from '../http/reply';
import { BUSINESS_MESSAGES } from '../messages/business.messages';
import { troublesOf } from '../overview/attention';
import { AttentionService } from '../overview/attention.service';
import { businessCsv, refusedCsv } from './business.csv';
import { type Business, BusinessPage } from './business.page';
import { bucketsOf, isHourly } from './time-buckets';

const MOST_LOST = 20;
const FALLBACK = 7;

@PanelController('operator/business', 'operator')
export class BusinessController {
  constructor(
    private readonly reports: OrderReport,
    private readonly refusals: RefusedAttemptRepository,
    private readonly attention: AttentionService,
    private readonly firstRun: FirstRun,
  ) {}

  @Get()
  async show(@CurrentPageContext() pageContext: SignedInPageContext, @Query() query: Form): Promise<Reply> {
    const asked = readRange(query, { fallback: FALLBACK });
    const [business, attention] = await Promise.all([asked.range && this.read(asked.range), this.attention.read()]);
    const shown = { pageContext, asked, business, troubles: troublesOf(pageContext, attention) };
    const steps = await this.firstRun.ofOperator(attention.newOrders);
    return new Page(BUSINESS_MESSAGES[pageContext.locale].title, <BusinessPage {...shown} steps={steps} />);
  }

  @Get('orders.csv')
  orders(@Query() query: Form): Reply {
    const asked = readRange(query, { fallback: FALLBACK });
    return new Export(`business${rangeName(asked)}.csv`, CSV_TYPE, businessCsv(this.reports, rangeOf(asked)));
  }

  @Get('refused.csv')
  refused(@Query() query: Form): Reply {
    const asked = readRange(query, { fallback: FALLBACK });
    return new Export(`refused${rangeName(asked)}.csv`, CSV_TYPE, refusedCsv(this.refusals, rangeOf(asked)));
  }

  private async read(range: Range): Promise<Business> {
    const [report, refused, lostByCode, lostByUser] = await Promise.all([
      this.reports.read(range, isHourly(range)),
      this.reports.refusedByDay(range),
      this.reports.lostByCode(range),
      this.reports.lostByUser(range, MOST_LOST),
    ]);
    return { report, buckets: bucketsOf(range, report, refused), lostByCode, lostByUser };
  }
}

function rangeOf({ range }: AskedRange): Range {
  if (!range) throw new PanelError('not-found');
  return range;
}
