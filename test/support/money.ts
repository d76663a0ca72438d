import BigNumber from 'bignumber.js';
import { createHash } from 'node:crypto';
import { ApiTokenRepository } from '../../src/auth/tokens/api-token.repository';
import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import type { TokenLimits } from '../../src/auth/tokens/token-limits';
import { BalanceService } from '../../src/balance/balance.service';
import { LedgerService } from '../../src/balance/ledger.service';
import { BillingService } from '../../src/billing/billing.service';
import type { BillingVariant } from '../../config/billing-variants';
import { choosePricing } from '../../src/billing/pricing/choose-pricing';
import { SubscriptionService, type SubscriptionView } from '../../src/billing/subscription.service';
import { ServicePool } from '../../src/database/service-pool';
import { Sql } from '../../src/database/sql';
import { expectLedgerConsistent } from './ledger-consistency';
import { insertPayer, Orders } from './payers';
import { createTestDatabase } from './test-database';

export const TRX = 1_000_000n;

/** Hundreds that wait for one account wait for a connection too: how long that takes is the machine's. */
function patient(pool: ServicePool): ServicePool {
  pool.options.connectionTimeoutMillis = 0;
  return pool;
}

/** The money services on a real database of their own, without an application around them. */
export class Money {
  readonly ledger: LedgerService;
  readonly balances: BalanceService;
  readonly subscriptions: SubscriptionService;
  readonly billing: BillingService;
  readonly tokens: ApiTokenService;
  readonly orders: Orders;

  private constructor(
    readonly sql: Sql,
    readonly databaseUrl: string,
    readonly close: () => Promise<void>,
  ) {
    this.ledger = new LedgerService(sql);
    this.balances = new BalanceService(sql);
    this.subscriptions = new SubscriptionService(sql);
    this.billing = this.billingOf('A');
    this.tokens = new ApiTokenService(new ApiTokenRepository(sql));
    this.orders = new Orders(sql, this.billing);
  }

  static async open(): Promise<Money> {
    const database = await createTestDatabase();
    const pool = patient(new ServicePool(database.url));
    return new Money(new Sql(pool), database.url, async () => {
      await pool.end();
      await database.drop();
    });
  }

  /** The same database, in sessions with these settings. */
  inSessions(settings: string): Money {
    const url = new URL(this.databaseUrl);
    url.searchParams.set('options', settings);
    const pool = patient(new ServicePool(url.href));
    return new Money(new Sql(pool), url.href, () => pool.end());
  }

  billingOf(variant: BillingVariant): BillingService {
    return new BillingService(this.sql, choosePricing({ variant, defaultUnitPriceSun: 2_500_000n }));
  }

  /** A user with a balance. */
  async payer(balanceSun = 0n, unitPriceSun: bigint | null = null): Promise<string> {
    const userId = await insertPayer(this.sql, unitPriceSun);
    if (balanceSun > 0n) await this.ledger.credit({ userId, amountSun: balanceSun, note: 'top-up' });
    return userId;
  }

  subscribe(userId: string, transactions: number, days = 30): Promise<SubscriptionView> {
    return this.subscriptions.create({ userId, transactions: new BigNumber(transactions), days, timeMs: Date.now() });
  }

  /** The id of a token of this user with these limits. */
  async token(userId: string, limits: Partial<TokenLimits> = {}): Promise<string> {
    const { row } = await this.tokens.create({ userId, name: 'test', permissions: ['delegate'], limits });
    return row.id;
  }

  /** What the token's orders count today. */
  async usedTodaySun(tokenId: string): Promise<bigint> {
    const text = `select coalesce(sum(used_sun), 0)::bigint as sun from token_days
                   where token_id = '${tokenId}' and day = (now() at time zone 'utc')::date`;
    return (await this.sql.row<{ sun: bigint }>({ name: '', text }))!.sun;
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
