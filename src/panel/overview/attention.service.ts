import { Injectable } from '@nestjs/common';
import { ConfiguredNodes } from '../../chain/tron/node/configured-nodes';
import { OrderOutlook } from '../../reporting/outlooks/order-outlook';
import { OrderOverviewRepository } from '../../reporting/overviews/order-overview.repository';
import { FindingRepository } from '../../findings/finding.repository';
import { nodesSetAside } from './nodes-set-aside';

/** What may need an operator, read at one moment: nodes as this process sees them. */
@Injectable()
export class AttentionService {
  constructor(
    private readonly orders: OrderOverviewRepository,
    private readonly findings: FindingRepository,
    private readonly newOrders: OrderOutlook,
    private readonly nodes: ConfiguredNodes,
  ) {}

  async read() {
    const [lastHour, stuck, findings, newOrders] = await Promise.all([
      this.orders.lastHour(),
      this.orders.stuck(),
      this.findings.openByWallet(),
      this.newOrders.now(),
    ]);
    return { lastHour, stuck, findings, newOrders, nodes: nodesSetAside(this.nodes.standings()) };
  }
}

export type NeedsAttention = Awaited<ReturnType<AttentionService['read']>>;
