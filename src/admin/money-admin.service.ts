import { Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { LedgerService, type Moved, type Movement } from '../balance/ledger.service';
import { transactionsLiteral } from '../billing/energy-amount';
import { SubscriptionService, type SubscriptionView } from '../billing/subscription.service';
import { formatTrx } from '../common/money/sun';
import { UserService } from '../users/user.service';
import { userSubject } from '../audit-log/subjects';

export interface Quota {
  readonly id?: string;
  readonly transactions: BigNumber;
  readonly days: number;
}

/** Money and quota that operators give and take, each act in one transaction with its entry in the audit log. */
@Injectable()
export class MoneyAdminService {
  constructor(
    private readonly users: UserService,
    private readonly ledger: LedgerService,
    private readonly subscriptions: SubscriptionService,
    private readonly auditLog: AuditLog,
  ) {}

  move(
    operator: Operator,
    email: string,
    kind: 'credit' | 'debit',
    movement: Omit<Movement, 'userId'>,
  ): Promise<Moved> {
    const { amountSun, note, reference } = movement;
    const asked = { amount: formatTrx(amountSun), note, reference };
    const act = { action: `balance.${kind}`, subject: userSubject(email), asked };
    return this.auditLog.record(operator, act, async (tx) => {
      const { id: userId } = await this.users.lock(email, tx);
      const result = await this.ledger.move(kind, { userId, ...movement }, tx);
      const { beforeSun, balanceSun, repeated, at } = result;
      const after = { ...asked, balance: formatTrx(balanceSun), ...(repeated && { repeated, booked_at: at }) };
      return { result, before: { balance: formatTrx(beforeSun) }, after };
    });
  }

  addSubscription(operator: Operator, email: string, { id, transactions, days }: Quota): Promise<SubscriptionView> {
    const asked = { transactions: transactions.toFixed(), days };
    const act = { action: 'subscription.create', subject: userSubject(email), asked };
    return this.auditLog.record(operator, act, async (tx) => {
      const { id: userId } = await this.users.lock(email, tx);
      const result = await this.subscriptions.create({ id, userId, transactions, days }, tx);
      return { result, after: { id: result.id, ...asked, valid_until: result.validUntil } };
    });
  }

  /** With `ownerId`, another user's subscription reads as not found. */
  endSubscription(operator: Operator, id: string, ownerId?: string): Promise<SubscriptionView> {
    const act = { action: 'subscription.end', subject: `subscription ${id}` };
    return this.auditLog.record(operator, act, async (tx) => {
      const { owner, validUntil } = await this.subscriptions.lock(id, ownerId, tx);
      const result = await this.subscriptions.end(id, tx);
      return {
        result,
        subject: userSubject(owner),
        before: { id, valid_until: validUntil },
        after: { id, valid_until: result.validUntil, used: transactionsLiteral(result.usedEnergy) },
      };
    });
  }
}
