import { Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { LedgerService, type Moved, type Movement } from '../balance/ledger.service';
import { transactionsLiteral } from '../billing/energy-amount';
import {
  type CreatedSubscription,
  type Price,
  SubscriptionService,
  type SubscriptionView,
} from '../billing/subscription.service';
import { NodeUnavailableError } from '../chain/tron/node/node-errors';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { InvalidValueError } from '../common/errors/domain.error';
import { formatTrx } from '../common/money/sun';
import { Sql, type SqlTransaction } from '../database/sql';
import { UserService } from '../users/user.service';
import { userSubject } from '../audit-log/subjects';
import { checkReference, refuseCreditedByHand } from '../balance/movement-values';
import { v7 as newId } from 'uuid';
import { UnknownCommits } from './unknown-commits';

export interface Quota {
  readonly id?: string;
  readonly transactions: BigNumber;
  readonly days: number;
  readonly reference?: string;
  /** None: it is given. Paid by reference, the reference is that of the customer's payment, and has to be given. */
  readonly price?: Price;
}

/** What somebody who gives money or quota should know of its reference. */
export interface ReferenceOutcome {
  /** The given one, or one that was made for it. */
  readonly reference: string;
  /** Its commit was not acknowledged: it was looked up. */
  readonly lookedUp: boolean;
  /** The address of another customer who has the same reference. */
  readonly otherWithReference: string | null;
}

/** Done, once. */
type Done<Result> = Result & ReferenceOutcome;

/** Money and quota that operators give and take, each act in one transaction with its entry in the audit log. */
@Injectable()
export class MoneyAdminService {
  constructor(
    private readonly users: UserService,
    private readonly ledger: LedgerService,
    private readonly subscriptions: SubscriptionService,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly auditLog: AuditLog,
    private readonly unknownCommits: UnknownCommits,
    private readonly sql: Sql,
  ) {}

  move(
    operator: Operator,
    email: string,
    kind: 'credit' | 'debit',
    movement: Omit<Movement, 'userId'>,
  ): Promise<Done<Moved>> {
    const reference = referenceOf(movement);
    const { amountSun, note } = movement;
    const asked = { amount: formatTrx(amountSun), note, reference };
    const act = { action: `balance.${kind}`, subject: userSubject(email), asked };
    const moving = () =>
      this.auditLog.record(operator, act, async (tx) => {
        if (kind === 'credit') refuseCreditedByHand(reference);
        const { id: userId } = await this.users.lock(email, tx);
        const result = await this.ledger.move(kind, { userId, ...movement, reference }, tx);
        const { beforeSun, balanceSun, repeated, at } = result;
        const after = { ...asked, balance: formatTrx(balanceSun), ...(repeated && { repeated, booked_at: at }) };
        return { result, before: { balance: formatTrx(beforeSun) }, after };
      });
    return this.doOnce(email, reference, moving, (userId, tx) => this.ledger.isBooked(userId, reference, tx));
  }

  async addSubscription(operator: Operator, email: string, quota: Quota): Promise<Done<CreatedSubscription>> {
    const reference = referenceOf(quota);
    const { id, transactions, days, price } = quota;
    if (price?.paidBy === 'reference' && quota.reference === undefined)
      throw new InvalidValueError('subscription.payment-missing');
    const sold = price && { price: formatTrx(price.priceSun), paid_by: price.paidBy };
    const asked = { transactions: transactions.toFixed(), days, reference, ...sold };
    const act = { action: 'subscription.create', subject: userSubject(email), asked };
    const timeMs = await this.finalTimeMs();
    const adding = () =>
      this.auditLog.record(operator, act, async (tx) => {
        refuseCreditedByHand(reference);
        const { id: userId } = await this.users.lock(email, tx);
        const wanted = { id, userId, transactions, days, reference, timeMs, price };
        const result = await this.subscriptions.create(wanted, tx);
        const { repeated } = result;
        if (!price && !repeated) await this.ledger.refusePaid(userId, reference, tx);
        if (price && !repeated) {
          const note = `${transactions.toFixed()} transactions, ${days} days`;
          await this.ledger.sell({ userId, subscriptionId: result.id, ...price, reference, note }, tx);
        }
        return {
          result,
          after: { id: result.id, ...asked, valid_until: result.validUntil, ...(repeated && { repeated }) },
        };
      });
    return this.doOnce(email, reference, adding, (userId, tx) => this.subscriptions.isCreated(userId, reference, tx));
  }

  /** The lock of the user's row, which every act takes, waits for a transaction whose commit is still under way. */
  private async doOnce<Result>(
    email: string,
    reference: string,
    act: () => Promise<Result>,
    isDone: (userId: string, tx: SqlTransaction) => Promise<boolean>,
  ): Promise<Done<Result>> {
    const { result, lookedUp } = await this.unknownCommits.lookUp(reference, act, () =>
      this.sql.transaction(async (tx) => isDone((await this.users.lock(email, tx)).id, tx)),
    );
    // It is done, whatever becomes of this.
    const otherWithReference = await this.users
      .get(email)
      .then(({ id }) => this.otherWithReference(id, reference))
      .catch(() => null);
    return { ...result, reference, lookedUp, otherWithReference };
  }

  /** As a movement or as quota. */
  private async otherWithReference(userId: string, reference: string): Promise<string | null> {
    const mover = await this.ledger.otherWithReference(userId, reference);
    return mover ?? this.subscriptions.otherWithReference(userId, reference);
  }

  /** With `ownerId`, another user's subscription reads as not found. */
  async endSubscription(operator: Operator, id: string, ownerId?: string): Promise<SubscriptionView> {
    const act = { action: 'subscription.end', subject: `subscription ${id}` };
    const timeMs = await this.finalTimeMs();
    return this.auditLog.record(operator, act, async (tx) => {
      const { owner, validUntil } = await this.subscriptions.lock(id, ownerId, tx);
      const result = await this.subscriptions.end(id, timeMs, tx);
      return {
        result,
        subject: userSubject(owner),
        before: { id, valid_until: validUntil },
        after: { id, valid_until: result.validUntil, used: transactionsLiteral(result.usedEnergy) },
      };
    });
  }

  /** Before the transaction, which would have rows locked while nodes are asked. Null: none shows it, and a refusal is in the audit log too. */
  private async finalTimeMs(): Promise<number | null> {
    try {
      return await this.referenceBlocks.finalTimeMs();
    } catch (error) {
      if (error instanceof NodeUnavailableError) return null;
      throw error;
    }
  }
}

/** One is made where none is given: by it a commit that was not acknowledged is looked up. */
function referenceOf({ reference }: { readonly reference?: string }): string {
  return reference === undefined ? `made ${newId()}` : checkReference(reference);
}
