import { Injectable } from '@nestjs/common';
import { HoldListRepository } from '../../billing/hold-list.repository';
import { OrderOverviewRepository } from '../../delegation/lookup/order-overview.repository';
import { NewOrders } from '../../delegation/placing/new-orders';
import { OpenFindingsRepository } from '../../findings/open-findings.repository';

/** What the overview shows, read at one moment. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly orders: OrderOverviewRepository,
    private readonly holds: HoldListRepository,
    private readonly openFindings: OpenFindingsRepository,
    private readonly newOrders: NewOrders,
  ) {}

  async read() {
    const [lastHour, minutes, lent, due, held, stuck, findings, newOrders] = await Promise.all([
      this.orders.lastHour(),
      this.orders.perMinute(),
      this.orders.lent(),
      this.orders.due(),
      this.holds.total(),
      this.orders.stuck(),
      this.openFindings.count(),
      this.newOrders.now(),
    ]);
    return { lastHour, minutes, lent, due, held, stuck, findings, newOrders };
  }
}

export type Overview = Awaited<ReturnType<OverviewService['read']>>;
