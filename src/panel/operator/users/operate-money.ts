import { Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import { AuditLog } from '../../../auth/audit-log/audit-log';
import type { UserRecord } from '../../../auth/user.service';
import { BalanceService } from '../../../balance/balance.service';
import { LedgerService, type Movement } from '../../../balance/ledger.service';
import { transactionsLiteral } from '../../../billing/energy-amount';
import { SubscriptionService, type SubscriptionView } from '../../../billing/subscription.service';
import { formatTrx } from '../../../common/sun';
import type { SignedInVisit } from '../../http/visit';
import type { SubscriptionRow } from '../../money/money.queries';
import { operatorOf } from '../operator';

/** Money and quota that operators give and take, each time written down. */
@Injectable()
export class OperateMoney {
  constructor(
    private readonly ledger: LedgerService,
    private readonly balances: BalanceService,
    private readonly subscriptions: SubscriptionService,
    private readonly audit: AuditLog,
  ) {}

  /** The balance afterwards. */
  async move(
    visit: SignedInVisit,
    user: UserRecord,
    kind: 'credit' | 'debit',
    movement: Omit<Movement, 'userId'>,
  ): Promise<bigint> {
    const { balanceSun } = await this.balances.getBalance(user.id);
    const asked = { amount: formatTrx(movement.amountSun), reason: movement.note, reference: movement.reference };
    const before = { balance: formatTrx(balanceSun) };
    const act = { action: `balance.${kind}`, subject: `user ${user.email}`, before, asked };
    return this.audit.record(operatorOf(visit), act, async () => {
      const result = await this.ledger[kind]({ userId: user.id, ...movement });
      return { result, after: { ...asked, balance: formatTrx(result) } };
    });
  }

  addSubscription(
    visit: SignedInVisit,
    user: UserRecord,
    { transactions, days }: { transactions: BigNumber; days: number },
  ): Promise<SubscriptionView> {
    const asked = { transactions: transactions.toFixed(), days };
    const act = { action: 'subscription.create', subject: `user ${user.email}`, asked };
    return this.audit.record(operatorOf(visit), act, async () => {
      const result = await this.subscriptions.create({ userId: user.id, transactions, days });
      return { result, after: { id: result.id, ...asked, valid_until: result.validUntil } };
    });
  }

  endSubscription(visit: SignedInVisit, user: UserRecord, row: SubscriptionRow): Promise<SubscriptionView> {
    const before = { id: row.id, valid_until: row.valid_until.toISOString() };
    const act = { action: 'subscription.end', subject: `user ${user.email}`, before };
    return this.audit.record(operatorOf(visit), act, async () => {
      const result = await this.subscriptions.end(row.id);
      const used = transactionsLiteral(result.usedEnergy);
      return { result, after: { id: row.id, valid_until: result.validUntil, used } };
    });
  }
}
