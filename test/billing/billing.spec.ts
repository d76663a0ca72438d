import BigNumber from 'bignumber.js';
import { Money, TRX } from '../support/money';
import { Orders, UNLIMITED } from '../support/payers';

const placedConcurrently = async (count: number, place: (index: number) => Promise<string | null>) =>
  (await Promise.all([...Array(count).keys()].map(place))).filter((id) => id !== null);

describe('paying for an order', () => {
  let money: Money;

  beforeAll(async () => {
    money = await Money.open();
  });
  afterEach(() => money.expectConsistent());
  afterAll(() => money.close());

  it('charges the quota before the balance, the subscription that ends soonest first', async () => {
    const userId = await money.payer(100n * TRX);
    const later = await money.subscribe(userId, 10, 20);
    const sooner = await money.subscribe(userId, 3, 10);
    for (const expected of [sooner.id, later.id]) {
      const { id, ...held } = await money.orders.place(userId, '2');
      expect(held).toEqual({ paidBy: 'subscription', costSun: 0n });
      await money.orders.land(id);
      const used = (await money.subscriptions.list(userId)).find((subscription) => subscription.id === expected);
      expect(used).toMatchObject({ usedEnergy: 130_000n, heldEnergy: 0n });
    }
    expect(await money.ledger.listEntries(userId)).toHaveLength(1);
    expect(await money.availableSun(userId)).toBe(100n * TRX);
  });

  it('never splits an order between quota and balance', async () => {
    const userId = await money.payer(100n * TRX);
    await money.subscribe(userId, 4, 10);
    expect(await money.orders.place(userId, '4.00001')).toMatchObject({ paidBy: 'balance', costSun: 12_000_030n });
    expect(await money.orders.place(userId, '4')).toMatchObject({ paidBy: 'subscription', costSun: 0n });
    expect(await money.orders.place(userId, '1')).toMatchObject({ paidBy: 'balance', costSun: 3n * TRX });
  });

  it('takes the activation from the balance, whatever pays for the energy', async () => {
    const userId = await money.payer(6n * TRX);
    await money.subscribe(userId, 1, 10);
    expect(await money.orders.place(userId, '1', true)).toMatchObject({ paidBy: 'subscription', costSun: 1_500_000n });
    const { id, costSun } = await money.orders.place(userId, '1', true);
    expect(costSun).toBe(4_500_000n);
    expect(await money.availableSun(userId)).toBe(0n);
    await money.orders.land(id);
    expect((await money.ledger.listEntries(userId))[0]).toMatchObject({
      kind: 'charge',
      amountSun: -4_500_000n,
      balanceSun: 1_500_000n,
      delegationId: id,
    });
  });

  it('refuses the whole order when quota covers the energy but nothing covers the activation', async () => {
    const userId = await money.payer(1_499_999n);
    const { id } = await money.subscribe(userId, 5, 10);
    expect(await money.orders.tryPlace(userId, '1', true)).toBeNull();
    expect((await money.subscriptions.list(userId))[0]).toMatchObject({ id, heldEnergy: 0n });
    expect(await money.orders.tryPlace(userId, '1', false)).not.toBeNull();
  });

  it('leaves nothing behind when it refuses, even if the caller commits', async () => {
    const userId = await money.payer(1n * TRX);
    await money.subscribe(userId, 5, 10);
    const order = {
      delegationId: crypto.randomUUID(),
      userId,
      feeSun: 3n * TRX,
      energy: 65_000n,
      ...UNLIMITED,
      timeMs: Date.now(),
    };
    await money.sql.transaction((tx) => money.billing.hold(tx, { ...order, activation: true }).catch(() => undefined));
    expect((await money.subscriptions.list(userId))[0]).toMatchObject({ heldEnergy: 0n });
    expect(await money.availableSun(userId)).toBe(1n * TRX);
  });

  it('spends the balance to the last sun and not one further', async () => {
    const userId = await money.payer(3n * TRX - 1n);
    expect(await money.orders.tryPlace(userId)).toBeNull();
    await money.ledger.credit({ userId, amountSun: 1n, note: 'the missing sun' });
    expect(await money.orders.tryPlace(userId)).not.toBeNull();
    expect(await money.availableSun(userId)).toBe(0n);
  });

  it('settles once: the second settling changes nothing', async () => {
    const userId = await money.payer(6n * TRX);
    const [landed, failed] = [await money.orders.place(userId), await money.orders.place(userId)];
    expect([
      await money.orders.land(landed.id),
      await money.orders.land(landed.id),
      await money.orders.fail(landed.id),
    ]).toEqual([true, false, false]);
    expect([await money.orders.fail(failed.id), await money.orders.land(failed.id)]).toEqual([true, false]);
    expect(await money.availableSun(userId)).toBe(3n * TRX);
    const parallel = await money.orders.place(userId);
    const settled = await Promise.all(
      [...Array(20).keys()].map((i) => money.orders[i % 2 ? 'land' : 'fail'](parallel.id)),
    );
    expect(settled.filter(Boolean)).toHaveLength(1);
  });

  it('pays with no subscription before it begins, nor once it has ended', async () => {
    const userId = await money.payer(10n * TRX);
    const { id } = await money.subscribe(userId, 5, 10);
    const move = (from: string, until: string) =>
      money.run(
        `update subscriptions set valid_from = now() + $2::interval, valid_until = now() + $3::interval where id = $1`,
        [id, from, until],
      );
    await move('1 minute', '1 day');
    expect(await money.orders.place(userId, '1')).toMatchObject({ paidBy: 'balance' });
    await move('-1 day', '-1 second');
    expect(await money.orders.place(userId, '1')).toMatchObject({ paidBy: 'balance' });
    await move('-1 day', '1 day');
    expect(await money.orders.place(userId, '1')).toMatchObject({ paidBy: 'subscription' });
  });

  it('settles with a subscription that ended in between, and gives no more from it', async () => {
    const userId = await money.payer(0n);
    const { id } = await money.subscribe(userId, 5, 10);
    const [landed, failed] = [await money.orders.place(userId, '2'), await money.orders.place(userId, '1')];
    const ended = await money.subscriptions.end(id, Date.now());
    expect(await money.orders.tryPlace(userId)).toBeNull();
    await money.orders.land(landed.id);
    await money.orders.fail(failed.id);
    expect(await money.subscriptions.end(id, Date.now())).toEqual({ ...ended, usedEnergy: 130_000n, heldEnergy: 0n });
  });

  it('moves `updated_at` exactly when what can be spent changes', async () => {
    const userId = await money.payer(100n * TRX);
    await money.subscribe(userId, 1, 10);
    const read = async () => (await money.balances.getBalance(userId)).updatedAt;
    const seen = [await read()];
    expect(seen[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const quotaPaid = await money.orders.place(userId);
    await money.orders.land(quotaPaid.id);
    expect(await read()).toBe(seen[0]);
    const [landed, failed] = [await money.orders.place(userId), await money.orders.place(userId)];
    seen.push(await read());
    await money.orders.land(landed.id);
    expect(await read()).toBe(seen[1]);
    await money.orders.fail(failed.id);
    seen.push(await read());
    await money.ledger.debit({ userId, amountSun: 1n, note: 'a sun' });
    seen.push(await read());
    expect([...new Set(seen)].sort()).toEqual(seen);
  });

  it.each(['1e400', '1e14', '3074457345618.258602'])(
    'refuses %s transactions as more than any balance',
    async (amount) => {
      const userId = await money.payer(999_999_999_999n * TRX);
      const feeSun = await money.billing.feeSun(userId, new BigNumber(amount));
      const order = { userId, feeSun, energy: 1n, activation: true, ...UNLIMITED, timeMs: Date.now() };
      expect(await money.billing.findRefusal(order)).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
      const held = money.sql.transaction((tx) =>
        money.billing.hold(tx, { ...order, delegationId: crypto.randomUUID() }),
      );
      await expect(held).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    },
  );

  it.each([
    ['balance', 3_000_000n, 0, false, true],
    ['too little balance', 2_999_999n, 0, false, false],
    ['balance and activation', 4_500_000n, 0, true, true],
    ['no balance for the activation', 4_499_999n, 0, true, false],
    ['quota', 0n, 1, false, true],
    ['quota without the activation', 1_499_999n, 1, true, false],
    ['quota and the activation', 1_500_000n, 1, true, true],
    ['quota for a part', 0n, 0.5, false, false],
    ['quota for a part and balance for all', 3_000_000n, 0.5, false, true],
  ] as const)('tells beforehand what holding would say: %s', async (_, sun, quota, activation, payable) => {
    const userId = await money.payer(sun);
    if (quota > 0) await money.subscribe(userId, quota, 1);
    const order = { userId, feeSun: 3n * TRX, energy: 65_000n, activation, ...UNLIMITED, timeMs: Date.now() };
    expect((await money.billing.findRefusal(order)) === null).toBe(payable);
    expect((await money.orders.tryPlace(userId, '1', activation)) !== null).toBe(payable);
  });

  describe('in variant B', () => {
    it('charges the unit price of the account, or the default of an account without one', async () => {
      for (const [unitPriceSun, costSun] of [
        [null, 3_750_000n],
        [2_000_001n, 3_000_002n],
      ] as const) {
        const userId = await money.payer(10n * TRX, unitPriceSun);
        const orders = new Orders(money.sql, money.billingOf('B'));
        expect(await orders.place(userId, '1.5')).toMatchObject({ costSun, paidBy: 'balance' });
      }
    });
  });

  describe('under concurrency', () => {
    it('lets exactly 20 of 50 orders through on money for 20', async () => {
      const userId = await money.payer(60n * TRX + 2_999_999n);
      expect(await placedConcurrently(50, () => money.orders.tryPlace(userId))).toHaveLength(20);
      expect(await money.availableSun(userId)).toBe(2_999_999n);
    });

    it('lets exactly 50 of 200 orders through on quota for 30 and balance for 20', async () => {
      const userId = await money.payer(60n * TRX);
      for (const days of [3, 2, 1]) await money.subscribe(userId, 10, days);
      expect(await placedConcurrently(200, () => money.orders.tryPlace(userId))).toHaveLength(50);
      expect(await money.availableSun(userId)).toBe(0n);
      for (const subscription of await money.subscriptions.list(userId)) expect(subscription.heldEnergy).toBe(650_000n);
    });

    it('mixes quota, activation, taking, releasing, debits and an ending subscription without a deadlock', async () => {
      const userId = await money.payer(100n * TRX);
      const subscribed = await Promise.all([1, 2, 3].map((days) => money.subscribe(userId, 20, days)));
      await placedConcurrently(300, async (index) => {
        if (index % 50 === 49) await money.subscriptions.end(subscribed[index % 3]!.id, Date.now());
        if (index % 10 === 9) await money.ledger.debit({ userId, amountSun: TRX, note: 'out' }).catch(() => undefined);
        const id = await money.orders.tryPlace(userId, String(1 + (index % 3)), index % 2 === 0);
        if (id) await (index % 4 < 2 ? money.orders.land(id) : money.orders.fail(id));
        return id;
      });
      const { heldSun } = await money.balances.getBalance(userId);
      expect(heldSun).toBe(0n);
    });
  });
});
