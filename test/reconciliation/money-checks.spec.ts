import BigNumber from 'bignumber.js';
import { v7 as newId } from 'uuid';
import { inEnglish } from '../../src/findings/finding-text';
import { checkMoney } from '../../src/reconciliation/checks/money.checks';
import { breaksTheLedger } from '../support/ledger-consistency';
import { liftPromises } from '../support/lifted-promises';
import { Money, TRX } from '../support/money';

// That is what is to be found.
breaksTheLedger();

describe('the audit of money', () => {
  let money: Money;

  beforeEach(async () => {
    money = await Money.open();
    await liftPromises((text) => money.run(text));
  });
  afterEach(() => money.close());

  const findings = async () => (await checkMoney(money.sql)).findings.map(inEnglish);

  /** One user with a bit of everything: an open, a landed and a failed order, paid by balance and by quota. */
  const populate = async () => {
    const userId = await money.payer(100n * TRX);
    const subscription = await money.subscribe(userId, 10);
    const ids: Record<string, string> = { userId, subscriptionId: subscription.id };
    const limits = { tokenId: await money.token(userId, { dailyLimitSun: 1_000n * TRX }), maxCostSun: null };
    for (const transactions of ['2', '11']) {
      const name = transactions === '2' ? 'Quota' : 'Balance';
      if (name === 'Balance') await money.ledger.credit({ userId, amountSun: 50n * TRX, note: 'more' });
      ids[`open${name}`] = (await money.orders.place(userId, transactions, false, limits)).id;
      ids[`landed${name}`] = (await money.orders.place(userId, transactions, false, limits)).id;
      ids[`failed${name}`] = (await money.orders.place(userId, transactions, false, limits)).id;
      await money.orders.land(ids[`landed${name}`]!);
      await money.orders.fail(ids[`failed${name}`]!);
    }
    return ids as Record<`${'open' | 'landed' | 'failed'}${'Quota' | 'Balance'}` | 'userId' | 'subscriptionId', string>;
  };

  it('finds nothing in clean rows, orders in flight included, and says how much it looked at', async () => {
    await populate();
    expect(await checkMoney(money.sql)).toEqual({
      checked: {
        users: 1,
        accounts: 1,
        ledger_entries: 3,
        subscriptions: 1,
        deposits: 0,
        token_days: 1,
        holds: 6,
        delegations: 6,
      },
      findings: [],
    });
  });

  it('finds nothing while orders are placed and settled', async () => {
    const userId = await money.payer(1000n * TRX);
    const work = Array.from({ length: 60 }, async (_, index) => {
      const id = await money.orders.tryPlace(userId, '1', index % 2 === 0);
      if (id) await money.orders[index % 3 ? 'land' : 'fail'](id);
    });
    const audits = Array.from({ length: 5 }, findings);
    expect((await Promise.all(audits)).flat()).toEqual([]);
    await Promise.all(work);
  });

  it.each([
    ['ledger_sum', 'update accounts set balance_sun = balance_sun + 1'],
    ['account_held', 'update accounts set held_sun = held_sun - 1'],
    ['quota', 'update subscriptions set held_energy = held_energy + 1'],
    ['quota', 'update subscriptions set used_energy = used_energy - 1'],
    ['token_used', 'update token_days set used_sun = used_sun - 1'],
    ['token_count', "update holds set token_day_id = -1 where state = 'released' and quota_energy = 0"],
    ['token_count', "update holds set counted_sun = counted_sun + 1 where state = 'released' and quota_energy = 0"],
    ['account_missing', `insert into users (id, email, name) values ('${newId()}', 'a@example.com', 'no account')`],
    ['hold_amount', "update delegations set cost_sun = cost_sun + 1 where paid_by = 'balance' and state = 'failed'"],
    ['hold_amount', "update delegations set paid_by = 'balance' where paid_by = 'subscription' and state = 'sent'"],
  ])('finds %s after: %s', async (kind, text) => {
    await populate();
    await money.run(text);
    expect(await findings()).toEqual([
      {
        kind,
        subject: expect.stringMatching(/^[a-z ]+ \S+$/),
        reason: expect.any(String),
        next_step: expect.any(String),
      },
    ]);
  });

  it('says amounts in TRX, to the last sun', async () => {
    const { userId } = await populate();
    const set = (balanceSun: bigint, heldSun: bigint) =>
      money.sql.execute({ name: '', text: `update accounts set balance_sun = ${balanceSun}, held_sun = ${heldSun}` });
    const [before] = await money.sql.rows<{ balance_sun: bigint; held_sun: bigint }>({
      name: '',
      text: 'select * from accounts',
    });
    await set(2n ** 63n - 1n, 1n);
    expect(
      (await findings()).filter(({ subject }) => subject === `user ${userId}`).map(({ reason }) => reason),
    ).toEqual([
      'the balance is 9223372036854.775807 TRX, but after the last entry it was 117',
      '0.000001 TRX are held, but the open holds add up to 33',
    ]);
    await set(before!.balance_sun, before!.held_sun);
    expect(await findings()).toEqual([]);
  });

  it('finds orders whose hold is not what their state says', async () => {
    const ids = await populate();
    const change = "update delegations set state = $2, answer = 'success' where id = $1";
    await money.run(change, [ids.openQuota, 'delegated']);
    await money.run(change, [ids.landedBalance, 'failed']);
    await money.run("update delegations set answer = 'failure' where id = $1", [ids.openBalance]);
    await money.run('delete from delegations where id = $1', [ids.failedBalance]);
    await money.run('delete from holds where delegation_id = $1', [ids.failedQuota]);
    const wrong = [ids.openQuota, ids.landedBalance, ids.openBalance, ids.failedBalance, ids.failedQuota];
    const found = await findings();
    expect(found.map(({ kind, subject }) => `${kind} ${subject}`).sort()).toEqual(
      wrong.map((id) => `hold_state delegation ${id}`).sort(),
    );
  });

  it('finds a charge without an order, one of another user, and a running balance that jumps', async () => {
    const { userId, openBalance, landedQuota } = await populate();
    const insert = `insert into ledger_entries (user_id, kind, amount_sun, balance_sun, delegation_id)
      values ($1, 'charge', -1, $2, $3)`;
    await money.run(insert, [userId, 117n * TRX - 1n, newId()]);
    await money.run(insert, [userId, 117n * TRX - 2n, openBalance]);
    await money.run(insert, [userId, 117n * TRX, landedQuota]);
    await money.run('update accounts set balance_sun = balance_sun - 3');
    const found = await findings();
    expect(found.map(({ kind }) => kind).sort()).toEqual([
      'charge_missing',
      'charge_unfounded',
      'charge_unfounded',
      'ledger_running_balance',
      'ledger_sum',
    ]);
  });

  it('finds a subscription whose price is not in the ledger, and a price that no subscription has', async () => {
    const userId = await money.payer(100n * TRX);
    const sold = async (reference: string) =>
      money.sql.transaction(async (tx) => {
        const price = { priceSun: 30n * TRX, paidBy: 'balance' } as const;
        const quota = { userId, transactions: new BigNumber(1), days: 1, timeMs: Date.now(), reference, price };
        const { id } = await money.subscriptions.create(quota, tx);
        await money.ledger.sell({ userId, subscriptionId: id, ...price, reference, note: '' }, tx);
        return id;
      });
    const [first, second] = [await sold('a'), await sold('b')];
    expect(await findings()).toEqual([]);
    await money.run('update subscriptions set price_sun = price_sun + 1 where id = $1', [first]);
    await money.run(`update ledger_entries set subscription_id = '${newId()}' where subscription_id = $1`, [second]);
    const found = await findings();
    expect(found.map(({ kind }) => kind).sort()).toEqual([
      'sale_missing',
      'sale_missing',
      'sale_unfounded',
      'sale_unfounded',
    ]);
    expect(found.find(({ subject }) => subject === `subscription ${first}`)).toMatchObject({
      reason: 'sold for 30.000001 TRX, but the ledger has 30 for it',
    });
    expect(found.find(({ subject }) => subject === `subscription ${second}`)).toMatchObject({
      reason: 'sold for 30 TRX, but the ledger has 0 for it',
    });
  });

  it('finds a deposit whose credit is not in the ledger, and a credit that no deposit explains', async () => {
    const userId = await money.payer();
    await money.run(
      `insert into deposit_addresses (address, hex, account, number, user_id) values ('T1', '41', 'a', 0, $1)`,
      [userId],
    );
    const credited = async (txid: string | null) => {
      const id = newId();
      const index = txid === null ? null : 0;
      await money.run(
        `insert into deposits (id, user_id, address, asset, amount, txid, index, state, is_final, credit_sun, credited_at)
         values ($1, $2, 'T1', 'TRX', 5000000, $3, $4, 'credited', true, 5000000, now())`,
        [id, userId, txid, index],
      );
      const reference = txid === null ? `deposit ${id}` : `${txid}:0`;
      const movement = { userId, amountSun: 5n * TRX, note: '5 TRX', reference };
      await money.sql.transaction((tx) => money.ledger.move('deposit', movement, tx));
      return id;
    };
    const [byChain, byHand, third] = [
      await credited('ab'.repeat(32)),
      await credited(null),
      await credited('cd'.repeat(32)),
    ];
    expect(await findings()).toEqual([]);
    await money.run('update deposits set credit_sun = credit_sun + 1 where id = $1', [byHand]);
    await money.run(`update deposits set state = 'waiting', waits_for = 'rate', credited_at = null where id = $1`, [
      byChain,
    ]);
    await money.run(`update ledger_entries set kind = 'credit' where reference = $1`, [`${'cd'.repeat(32)}:0`]);
    const found = await findings();
    expect(found.map(({ kind }) => kind).sort()).toEqual([
      'deposit_missing',
      'deposit_missing',
      'deposit_unfounded',
      'deposit_unfounded',
    ]);
    const reasonOf = (id: string) => found.find(({ subject }) => subject === `deposit ${id}`)?.reason;
    expect([reasonOf(byHand), reasonOf(third)]).toEqual([
      'is credited with 5.000001 TRX, but the ledger has 5 for it',
      'is credited with 5 TRX, but the ledger has 0 for it',
    ]);
  });

  it('finds a taken hold without its charge', async () => {
    const { landedBalance } = await populate();
    await money.run('delete from ledger_entries where delegation_id = $1', [landedBalance]);
    await money.run('update accounts set balance_sun = balance_sun + 33000000');
    expect(await findings()).toMatchObject([{ kind: 'charge_missing', subject: `delegation ${landedBalance}` }]);
  });
});
