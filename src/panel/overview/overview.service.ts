import { Injectable } from '@nestjs/common';
import { HoldListRepository } from '../../billing/hold-list.repository';
import { EnergyOutlook } from '../../delegation/lookup/energy-outlook';
import { OrderOutlook } from '../../delegation/lookup/order-outlook';
import { OrderOverviewRepository } from '../../delegation/lookup/order-overview.repository';
import { FindingRepository } from '../../findings/finding.repository';
import { FirstRun } from '../first-run/first-run';

/** What the overview shows, read at one moment. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly orders: OrderOverviewRepository,
    private readonly holds: HoldListRepository,
    private readonly findings: FindingRepository,
    private readonly newOrders: OrderOutlook,
    private readonly outlook: EnergyOutlook,
    private readonly firstRun: FirstRun,
  ) {}

  async read() {
    const [lastHour, minutes, lent, due, held, stuck, findings, newOrders, energy] = await Promise.all([
      this.orders.lastHour(),
      this.orders.perMinute(),
      this.orders.lent(),
      this.orders.due(),
      this.holds.total(),
      this.orders.stuck(),
      this.findings.countOpen(),
      this.newOrders.now(),
      this.outlook.ofPool(),
    ]);
    const firstSteps = await this.firstRun.ofOperator(newOrders);
    return { firstSteps, lastHour, minutes, lent, due, held, stuck, findings, newOrders, energy };
  }
}

export type Overview = Awaited<ReturnType<OverviewService['read']>>;
