import BigNumber from 'bignumber.js';
import { v7 as newId } from 'uuid';
import type { BillingService, CostLimits, HeldPayment } from '../../src/billing/billing.service';
import { energyOf } from '../../src/billing/energy-amount';
import { ServiceError } from '../../src/common/errors/service.error';
import type { Sql, Statement } from '../../src/database/sql';

const INSERT_PAYER: Statement = {
  name: 'test_insert_payer',
  text: `
    with u as (insert into users (id, email, name) values ($1, $1::uuid || '@example.com', 'payer') returning id)
    insert into accounts (user_id, unit_price_sun) select id, $2 from u`,
};
const INSERT_WALLET: Statement = {
  name: 'test_insert_wallet',
  text: `
    insert into pool_wallets (id, name, address, role, key_source)
    values ($1, $1::uuid::text, $1::uuid::text, 'delegate', 'env:NO_KEY')`,
};
const INSERT_ORDER: Statement = {
  name: 'test_insert_order',
  text: `
    insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, activates, state,
      wallet_id, stake_sun, cost_sun, paid_by)
    values ($1, $2, 'T', $3, $4, 10, $5, $5, 'sent', $6, 1, $7, $8)`,
};
const CHANGE_STATE: Statement = {
  name: 'test_change_state',
  text: 'update delegations set state = $2, answer = $3 where id = $1',
};

/** A user with an account, as good as new. */
export async function insertPayer(sql: Sql, unitPriceSun: bigint | null = null): Promise<string> {
  const id = newId();
  await sql.execute(INSERT_PAYER, [id, unitPriceSun]);
  return id;
}

/** An order of no token, whatever it costs. */
export const UNLIMITED: CostLimits = { tokenId: null, maxCostSun: null };

/** Orders without a chain behind them: what the order's life does to money, and nothing else of it. */
export class Orders {
  private readonly walletId = newId();
  private wallet?: Promise<number>;

  constructor(
    private readonly sql: Sql,
    private readonly billing: BillingService,
  ) {}

  async place(
    userId: string,
    transactions = '1',
    activation = false,
    limits: CostLimits = UNLIMITED,
  ): Promise<HeldPayment & { id: string }> {
    await (this.wallet ??= this.sql.execute(INSERT_WALLET, [this.walletId]));
    const amount = new BigNumber(transactions);
    const feeSun = await this.billing.feeSun(userId, amount);
    const order = {
      delegationId: newId(),
      userId,
      feeSun,
      energy: energyOf(amount)!,
      activation,
      ...limits,
      timeMs: Date.now(),
    };
    return this.sql.transaction(async (tx) => {
      const held = await this.billing.hold(tx, order);
      const row = [order.delegationId, userId, transactions, order.energy, activation, this.walletId];
      await tx.execute(INSERT_ORDER, [...row, held.costSun, held.paidBy]);
      return { id: order.delegationId, ...held };
    });
  }

  /** Null for one that is refused for its balance. */
  async tryPlace(userId: string, transactions = '1', activation = false): Promise<string | null> {
    const outcome = await this.outcome(userId, transactions, activation);
    return outcome === 'INSUFFICIENT_BALANCE' ? null : outcome;
  }

  /** Its id, or the code of its refusal. */
  async outcome(
    userId: string,
    transactions = '1',
    activation = false,
    limits: CostLimits = UNLIMITED,
  ): Promise<string> {
    try {
      return (await this.place(userId, transactions, activation, limits)).id;
    } catch (error) {
      if (error instanceof ServiceError) return error.code;
      throw error;
    }
  }

  land(id: string): Promise<boolean> {
    return this.settle(id, 'delegated', 'success', (tx) => this.billing.take(tx, id));
  }

  fail(id: string): Promise<boolean> {
    return this.settle(id, 'failed', 'failure', (tx) => this.billing.release(tx, id));
  }

  /** Settles as the order's life does: the second to come changes nothing. */
  private settle(
    id: string,
    state: string,
    answer: string,
    settleMoney: (tx: Parameters<BillingService['take']>[0]) => Promise<boolean>,
  ): Promise<boolean> {
    return this.sql.transaction(async (tx) => {
      const settled = await settleMoney(tx);
      if (settled) await tx.execute(CHANGE_STATE, [id, state, answer]);
      return settled;
    });
  }
}
