import { Get, Inject, Query } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { Clock } from '../../common/clock';
import { DemandRepository } from '../../reporting/earnings/demand.repository';
import { PriceChangeRepository } from '../../reporting/earnings/price-change.repository';
import type { Days } from '../../reporting/refusals/refused-attempt.repository';
import { PoolEarnings } from '../../stake-care/pool-earnings';
import { type AskedRange, rangeName, readRange } from '../dates/date-range';
import type { Form } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Export, Page, type Reply } from '../http/reply';
import { ThisVisit, type UserVisit } from '../http/visit';
import { demandCsv, walletsCsv } from './earnings.csv';
import { type Earnings, EarningsPage } from './earnings.page';
import { demandDays, weekOf } from './hours-of-week';

const FALLBACK = 30;

@PanelController('operator/earnings', 'operator')
export class EarningsController {
  constructor(
    private readonly pool: PoolEarnings,
    private readonly demand: DemandRepository,
    private readonly prices: PriceChangeRepository,
    private readonly clock: Clock,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @Get()
  async show(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const asked = this.rangeOf(query);
    const earnings = asked.range && (await this.read(asked.range, visit));
    return new Page(visit.messages.earnings.title, <EarningsPage asked={asked} earnings={earnings} />);
  }

  @Get('wallets.csv')
  async wallets(@Query() query: Form): Promise<Reply> {
    const asked = this.rangeOf(query);
    const days = daysOf(asked);
    const { wallets } = await this.pool.read(days);
    return new Export(`earnings${rangeName(asked)}.csv`, walletsCsv(wallets, days));
  }

  @Get('demand.csv')
  async demandFile(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const asked = this.rangeOf(query);
    const { rows } = await this.week(daysOf(asked), visit);
    return new Export(`demand${rangeName(asked)}.csv`, demandCsv(rows, zoneOf(visit)));
  }

  private async read(days: Days, visit: UserVisit): Promise<Earnings> {
    const hasPrices = this.configuration.billing.variant === 'B';
    const [pool, week, prices] = await Promise.all([
      this.pool.read(days),
      this.week(days, visit),
      hasPrices ? this.prices.read(days) : null,
    ]);
    return { pool, week, timeZone: zoneOf(visit), prices };
  }

  private async week(range: Days, visit: UserVisit) {
    const now = this.clock.now();
    const days = demandDays(range, now);
    const [hours, since] = await Promise.all([this.demand.read(days), this.demand.first()]);
    return weekOf(hours, days, { since, now, timeZone: zoneOf(visit) });
  }

  /** Of UTC days, whose sums are kept. */
  private rangeOf(query: Form): AskedRange {
    return readRange(query, { fallback: FALLBACK, now: this.clock.now() });
  }
}

function daysOf({ range }: AskedRange): Days {
  if (!range) throw new PanelError('not-found');
  return range;
}

function zoneOf({ user }: UserVisit): string {
  return user.timeZone ?? 'UTC';
}
