import { Injectable } from '@nestjs/common';
import { HoldListRepository } from '../../billing/hold-list.repository';
import { EnergyOutlook } from '../../reporting/outlooks/energy-outlook';
import { OrderOverviewRepository } from '../../reporting/overviews/order-overview.repository';
import { FirstRun } from '../first-run/first-run';
import { AttentionService } from '../../notices/attention/attention.service';

/** What the overview shows, read at one moment. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly orders: OrderOverviewRepository,
    private readonly holds: HoldListRepository,
    private readonly attention: AttentionService,
    private readonly outlook: EnergyOutlook,
    private readonly firstRun: FirstRun,
  ) {}

  async read() {
    const [attention, minutes, lent, held, energy] = await Promise.all([
      this.attention.read(),
      this.orders.perMinute(),
      this.orders.lent(),
      this.holds.total(),
      this.outlook.ofPool(),
    ]);
    const firstSteps = await this.firstRun.ofOperator(attention.newOrders);
    return { ...attention, firstSteps, minutes, lent, held, energy };
  }
}

export type Overview = Awaited<ReturnType<OverviewService['read']>>;
