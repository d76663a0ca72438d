import { Injectable } from '@nestjs/common';
import { ConfiguredNodes } from '../../chain/tron/node/configured-nodes';
import { OrderOutlook } from '../../reporting/outlooks/order-outlook';
import { OrderOverviewRepository } from '../../reporting/overviews/order-overview.repository';
import { SignUpService } from '../../auth/sign-ups/sign-up.service';
import { DepositLookup } from '../../deposits/deposit-lookup';
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
    private readonly deposits: DepositLookup,
  ) {}

  async read() {
    const [lastHour, stuck, findings, newOrders, signUps, deposits] = await Promise.all([
      this.orders.lastHour(),
      this.orders.stuck(),
      this.findings.openByWallet(),
      this.newOrders.now(),
      this.signUps.countWaiting(),
      this.deposits.waiting(),
    ]);
    return {
      lastHour,
      stuck,
      findings,
      newOrders,
      signUps: signUps.count,
      deposits: deposits.count,
      nodes: nodesSetAside(this.nodes.standings()),
    };
  }
}

export type NeedsAttention = Awaited<ReturnType<AttentionService['read']>>;
