import { Money, TRX } from '../support/money';
import { type Orders, UNLIMITED } from '../support/payers';
import { CLOCK_FIRST, StandingClock } from '../support/standing-clock';

const UUID = /^[0-9a-f-]{36}$/;
const placed = (outcomes: readonly string[]) => outcomes.filter((outcome) => UUID.test(outcome));
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all([...Array(count).keys()].map(make));

describe('what a token may spend', () => {
  let money: Money;

  beforeAll(async () => {
    money = await Money.open();
  });
  afterEach(() => money.expectConsistent());
  afterAll(() => money.close());

  const limited = async (dailyLimitSun: bigint | null, balanceSun = 1_000n * TRX) => {
    const userId = await money.payer(balanceSun);
    return { userId, tokenId: await money.token(userId, { dailyLimitSun }) };
  };
  const outcome = ({ userId, tokenId }: { userId: string; tokenId: string }, transactions = '1', activation = false) =>
    money.orders.outcome(userId, transactions, activation, { tokenId, maxCostSun: null });

  it('in a day is spent to the last sun, and not one further', async () => {
    const token = await limited(6n * TRX);
    expect(placed([await outcome(token, '1.9999999')])).toHaveLength(1);
    expect(await money.usedTodaySun(token.tokenId)).toBe(6n * TRX);
    expect(await outcome(token, '1')).toBe('TOKEN_LIMIT_REACHED');
    const short = await limited(6n * TRX - 1n);
    expect(await outcome(short, '2')).toBe('TOKEN_LIMIT_REACHED');
    expect(await money.usedTodaySun(short.tokenId)).toBe(0n);
    expect(await outcome(await limited(0n))).toBe('TOKEN_LIMIT_REACHED');
  });

  it('is counted by the list price when quota pays, activation included, and for a token without a limit too', async () => {
    const token = await limited(10n * TRX, 100n * TRX);
    await money.subscribe(token.userId, 100);
    const held = await money.orders.place(token.userId, '1', true, { tokenId: token.tokenId, maxCostSun: null });
    expect(held).toMatchObject({ paidBy: 'subscription', costSun: 1_500_000n });
    expect(await money.usedTodaySun(token.tokenId)).toBe(4_500_000n);
    expect(await outcome(token, '2')).toBe('TOKEN_LIMIT_REACHED');
    const free = await limited(null);
    await outcome(free);
    expect(await money.usedTodaySun(free.tokenId)).toBe(3n * TRX);
  });

  it('is the token’s own: what others of the account spend does not count', async () => {
    const token = await limited(3n * TRX);
    const other = { ...token, tokenId: await money.token(token.userId, { dailyLimitSun: 3n * TRX }) };
    await money.orders.place(token.userId, '10');
    expect(placed([await outcome(token), await outcome(other)])).toHaveLength(2);
    expect([await outcome(token), await outcome(other)]).toEqual(['TOKEN_LIMIT_REACHED', 'TOKEN_LIMIT_REACHED']);
  });

  it('comes back with a release, once, to the day that it was held on, and is spent by a charge', async () => {
    const token = await limited(6n * TRX);
    const [failed, landed] = [await outcome(token), await outcome(token)];
    await money.run(`update token_days set day = day - 1 where token_id = $1`, [token.tokenId]);
    const today = await outcome(token, '2');
    await money.orders.land(landed);
    expect([await money.orders.fail(failed), await money.orders.fail(failed)]).toEqual([true, false]);
    const days = `select used_sun from token_days where token_id = '${token.tokenId}' order by day`;
    expect(await money.sql.rows({ name: '', text: days })).toEqual([{ used_sun: 3n * TRX }, { used_sun: 6n * TRX }]);
    expect(await outcome(token)).toBe('TOKEN_LIMIT_REACHED');
    await money.orders.fail(today);
    expect(placed([await outcome(token, '2')])).toHaveLength(1);
  });

  it('is what the token’s limit is by now: raised, lowered below what was used, or lifted', async () => {
    const token = await limited(3n * TRX);
    const setLimit = (dailyLimitSun: bigint | null) =>
      money.tokens.setLimits(token.tokenId, { dailyLimitSun, maxCostSun: null, receivers: null, ips: null });
    const open = await outcome(token);
    await setLimit(6n * TRX);
    expect(placed([await outcome(token)])).toHaveLength(1);
    await setLimit(1n);
    expect(await outcome(token)).toBe('TOKEN_LIMIT_REACHED');
    await money.orders.fail(open);
    await setLimit(null);
    expect(placed([await outcome(token, '100')])).toHaveLength(1);
    await setLimit(303n * TRX - 1n);
    expect(await outcome(token)).toBe('TOKEN_LIMIT_REACHED');
  });

  it('leaves nothing held, of money, quota or limit, when it refuses', async () => {
    const token = await limited(2n * TRX);
    await money.subscribe(token.userId, 5);
    const maxCost = { tokenId: await money.token(token.userId, { maxCostSun: 1n }), maxCostSun: null };
    expect(await outcome(token)).toBe('TOKEN_LIMIT_REACHED');
    expect(await money.orders.outcome(token.userId, '1', true, maxCost)).toBe('COST_ABOVE_MAX');
    expect(await money.orders.outcome(token.userId, '6', false, maxCost)).toBe('COST_ABOVE_MAX');
    expect((await money.subscriptions.list(token.userId))[0]).toMatchObject({ heldEnergy: 0n });
    expect(await money.availableSun(token.userId)).toBe(1_000n * TRX);
    expect([await money.usedTodaySun(token.tokenId), await money.usedTodaySun(maxCost.tokenId)]).toEqual([0n, 0n]);
  });

  it('for one order is compared with what this order would be charged, no matter who set it', async () => {
    const userId = await money.payer(100n * TRX);
    const { id: subscription } = await money.subscribe(userId, 1);
    const tokenId = await money.token(userId, { maxCostSun: 3n * TRX });
    const place = (transactions: string, activation: boolean, maxCostSun: bigint | null) =>
      money.orders.place(userId, transactions, activation, { tokenId, maxCostSun });
    // Quota pays: nothing, or the activation alone.
    expect(await place('1', false, 0n)).toMatchObject({ costSun: 0n });
    await money.subscriptions.end(subscription, Date.now());
    const refused = (details: object) => ({ code: 'COST_ABOVE_MAX', details });
    await expect(place('1', false, 0n)).rejects.toMatchObject(
      refused({ max_cost: ['The cost of 3 is more than the max cost.'] }),
    );
    expect(await place('1', false, 3n * TRX)).toMatchObject({ costSun: 3n * TRX });
    await expect(place('1', true, 4_500_000n)).rejects.toMatchObject(
      refused({ amount: ['The cost of 4.5 is more than the max cost of the token.'] }),
    );
    await expect(place('1.0000001', false, 3n * TRX)).rejects.toMatchObject(
      refused({
        amount: ['The cost of 3.000001 is more than the max cost of the token.'],
        max_cost: ['The cost of 3.000001 is more than the max cost.'],
      }),
    );
  });

  it.each([
    ['max cost', { maxCostSun: 1n, dailyLimitSun: 1n }, 0n, 'COST_ABOVE_MAX'],
    ['daily limit', { maxCostSun: null, dailyLimitSun: 1n }, 0n, 'TOKEN_LIMIT_REACHED'],
    ['balance', { maxCostSun: null, dailyLimitSun: null }, 0n, 'INSUFFICIENT_BALANCE'],
    ['nothing', { maxCostSun: 3n * TRX, dailyLimitSun: 3n * TRX }, 3n * TRX, null],
  ])('refuses for the first that is wanting, and tells the same beforehand: %s', async (_, limits, sun, code) => {
    const userId = await money.payer(sun);
    const toPay = { tokenId: await money.token(userId, limits), maxCostSun: null };
    const order = { userId, ...toPay, feeSun: 3n * TRX, activation: false, timeMs: Date.now() };
    expect((await money.billing.findRefusal({ ...order, energy: 65_000n }))?.code ?? null).toBe(code);
    const held = await money.orders.outcome(userId, '1', false, toPay);
    expect(code === null ? UUID.test(held) : held === code).toBe(true);
    if (code === null) return;
    // More than any number holds is more than any limit.
    const beyond = await money.billing.findRefusal({ ...order, energy: null, feeSun: null });
    expect(beyond?.code).toBe(code);
    if (code === 'COST_ABOVE_MAX') {
      const sentence = 'The cost of more than 9223372036854.775807 is more than the max cost of the token.';
      expect(beyond?.details).toEqual({ amount: [sentence] });
    }
  });

  it('begins anew with the day of UTC, by the database’s clock and in whatever time zone a session is', async () => {
    const token = await limited(3n * TRX);
    const clock = await StandingClock.make((sql, values) => money.run(sql, values));
    const later = money.inSessions(`-c search_path=${CLOCK_FIRST} -c timezone=Pacific/Kiritimati`);
    const place = () => later.orders.outcome(token.userId, '1', false, { tokenId: token.tokenId, maxCostSun: null });
    try {
      await clock.set('2026-03-01 23:59:59.999999+00');
      expect(placed([await place()])).toHaveLength(1);
      expect(await place()).toBe('TOKEN_LIMIT_REACHED');
      await clock.set('2026-03-02 00:00:00+00');
      expect(placed([await place()])).toHaveLength(1);
      expect(await place()).toBe('TOKEN_LIMIT_REACHED');
    } finally {
      await later.close();
    }
    const days = `select day::text as day from token_days where token_id = '${token.tokenId}' order by day`;
    expect(await money.sql.rows({ name: '', text: days })).toEqual([{ day: '2026-03-01' }, { day: '2026-03-02' }]);
  });

  describe('under concurrency', () => {
    const sum = async (orders: Orders, token: { userId: string; tokenId: string }, count: number) =>
      placed(
        await times(count, () => orders.outcome(token.userId, '1', false, { ...UNLIMITED, tokenId: token.tokenId })),
      );

    it('is passed by none of 60 orders that begin the day together', async () => {
      for (let round = 0; round < 5; round++) {
        const token = await limited(30n * TRX);
        expect(await sum(money.orders, token, 60)).toHaveLength(10);
        expect(await money.usedTodaySun(token.tokenId)).toBe(30n * TRX);
      }
    });

    it('is kept while orders land and fail, and its last user gets what others gave back', async () => {
      const token = await limited(30n * TRX);
      await times(150, async (index) => {
        const id = await outcome(token, String(1 + (index % 3)));
        if (!UUID.test(id)) return;
        expect(await money.usedTodaySun(token.tokenId)).toBeLessThanOrEqual(30n * TRX);
        if (index % 2) await money.orders.fail(id);
      });
      const left = (30n * TRX - (await money.usedTodaySun(token.tokenId))) / (3n * TRX);
      expect(await sum(money.orders, token, 20)).toHaveLength(Number(left));
    });
  });
});
