import { HeldLock } from '../support/held-lock';
import { Money, TRX } from '../support/money';

/** What somebody else can have locked of one user: all orders of theirs that need it are left to a later turn. */
const LOCKS = {
  hold: ['select from holds where user_id = $1 and subscription_id is not null for update', ['by quota']],
  account: ['select from accounts where user_id = $1 for update', ['by quota', 'by balance']],
  subscription: ['select from subscriptions where user_id = $1 for update', ['by quota']],
} as const;

describe('settling many orders at once', () => {
  let money: Money;
  beforeAll(async () => (money = await Money.open()));
  afterAll(() => money.close());

  it.each(Object.entries(LOCKS))('waits for no locked %s, and names the orders that need it', async (_, lock) => {
    const [statement, expected] = lock;
    const [busy, free] = await Promise.all([money.payer(10n * TRX), money.payer(10n * TRX)]);
    await money.subscribe(busy, 1);
    const names = new Map([
      [(await money.orders.place(busy)).id, 'by quota'],
      [(await money.orders.place(busy)).id, 'by balance'],
      [(await money.orders.place(free)).id, "another's"],
    ]);
    const held = await HeldLock.take(money.databaseUrl, statement, [busy]);
    const lacking = await money.sql.transaction((tx) => money.billing.lockToSettle(tx, [...names.keys()]));
    await held.release();
    expect(new Set([...lacking].map((id) => names.get(id)))).toEqual(new Set(expected));
  });
});
