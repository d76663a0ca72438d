import { Injectable } from '@nestjs/common';
import { ConfiguredNodes } from '../../chain/tron/node/configured-nodes';
import { OrderOutlook } from '../../reporting/outlooks/order-outlook';
import { OrderOverviewRepository } from '../../reporting/overviews/order-overview.repository';
import { SignUpService } from '../../auth/sign-ups/sign-up.service';
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
    private readonly signUps: SignUpService,
  ) {}

  async read() {
    const [lastHour, stuck, findings, newOrders, signUps] = await Promise.all([
      this.orders.lastHour(),
      this.orders.stuck(),
      this.findings.openByWallet(),
      this.newOrders.now(),
      this.signUps.countWaiting(),
    ]);
    return {
      lastHour,
      stuck,
      findings,
      newOrders,
      signUps: signUps.count,
      nodes: nodesSetAside(this.nodes.standings()),
    };
  }
}

export type NeedsAttention = Awaited<ReturnType<AttentionService['read']>>;
