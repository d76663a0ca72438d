import { createHash } from 'node:crypto';
import BigNumber from 'bignumber.js';
import { AccountRepository } from '../../src/balance/account.repository';
import { BalanceService } from '../../src/balance/balance.service';
import { LedgerRepository } from '../../src/balance/ledger.repository';
import { LedgerService } from '../../src/balance/ledger.service';
import { BillingService } from '../../src/billing/billing.service';
import { HoldRepository } from '../../src/billing/hold.repository';
import { type BillingVariant, choosePricing } from '../../src/billing/pricing/choose-pricing';
import { SubscriptionRepository } from '../../src/billing/subscription.repository';
import { SubscriptionService, type SubscriptionView } from '../../src/billing/subscription.service';
import { ServicePool } from '../../src/database/service-pool';
import { Sql } from '../../src/database/sql';
import { expectLedgerConsistent } from './ledger-consistency';
import { insertPayer, Orders } from './payers';
import { createTestDatabase } from './test-database';

export const TRX = 1_000_000n;

/** The money services on a real database of their own, without an application around them. */
export class Money {
  readonly ledger: LedgerService;
  readonly balances: BalanceService;
  readonly subscriptions: SubscriptionService;
  readonly billing: BillingService;
  readonly orders: Orders;

  private constructor(
    readonly sql: Sql,
    readonly databaseUrl: string,
    readonly close: () => Promise<void>,
  ) {
    this.ledger = new LedgerService(sql, new LedgerRepository(sql));
    this.balances = new BalanceService(new AccountRepository(sql));
    this.subscriptions = new SubscriptionService(new SubscriptionRepository(sql));
    this.billing = this.billingOf('A');
    this.orders = new Orders(sql, this.billing);
  }

  static async open(): Promise<Money> {
    const database = await createTestDatabase();
    const pool = new ServicePool(database.url);
    return new Money(new Sql(pool), database.url, async () => {
      await pool.end();
      await database.drop();
    });
  }

  billingOf(variant: BillingVariant): BillingService {
    return new BillingService(
      new HoldRepository(this.sql),
      choosePricing({ variant, defaultUnitPriceSun: 2_500_000n }),
    );
  }

  /** A user with a balance. */
  async payer(balanceSun = 0n, unitPriceSun: bigint | null = null): Promise<string> {
    const userId = await insertPayer(this.sql, unitPriceSun);
    if (balanceSun > 0n) await this.ledger.credit({ userId, amountSun: balanceSun, note: 'top-up' });
    return userId;
  }

  subscribe(userId: string, transactions: number, days = 30): Promise<SubscriptionView> {
    return this.subscriptions.create({ userId, transactions: new BigNumber(transactions), days });
  }

  async availableSun(userId: string): Promise<bigint> {
    return (await this.balances.getBalance(userId)).availableSun;
  }

  /** A statement of the test's own. */
  run(text: string, values: unknown[] = []): Promise<number> {
    return this.sql.execute({ name: `test_${createHash('md5').update(text).digest('hex')}`, text }, values);
  }

  expectConsistent(): Promise<void> {
    return expectLedgerConsistent(this.sql);
  }
}
