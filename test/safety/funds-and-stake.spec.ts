import { utils } from 'tronweb';
import { record } from '../support/bar';
import { BlockPace } from '../support/block-pace';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { type Answer, type Caller, OrderWorld } from '../support/order-world';
import type { ServiceChild } from '../support/service-child';
import { until } from '../support/until';
import { StakeStranger } from './stake-stranger';

const ORDERS = 200;
const ENOUGH_FOR = 50;
/** By somebody else, one after the other, while orders are under way. */
const CHANGES = 6;
/** While the stake comes and goes under them. */
const MAY_BE_TOLD = ['success', 'INSUFFICIENT_ENERGY', 'PAUSED', 'NODE_UNAVAILABLE', 'OUTCOME_UNKNOWN'];
describe('two hundred orders at once', () => {
  let world: OrderWorld;
  let instances: ServiceChild[];
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      backgroundWork: false,
      env: { ANSWER_TIMEOUT: '30s', RECONCILE_EVERY: '24h' },
    });
    instances = [await world.startProcess(), await world.startProcess()];
  });
  afterAll(() => world.close());

  async function order(callers: Caller[], to?: string, count = ORDERS): Promise<Answer[]> {
    const receiver = to ?? (await world.receiver());
    const one = (_: unknown, at: number) =>
      world.delegate(callers[at % callers.length]!, { receiver_address: receiver, amount: 1 }, {}, instances[at % 2]);
    return Promise.all(Array.from({ length: count }, one));
  }
  const codes = (answers: Answer[]) => {
    const found: Record<string, number> = {};
    for (const { headers } of answers) {
      const code = headers.get('x-error-code') ?? 'success';
      found[code] = (found[code] ?? 0) + 1;
    }
    return found;
  };

  it.each([
    ['a balance', { balance: 3 * ENOUGH_FOR + 2 }],
    ['a quota', { balance: 2, subscription: ENOUGH_FOR }],
    ['a balance and a quota', { balance: (3 * ENOUGH_FOR) / 2, subscription: ENOUGH_FOR / 2 }],
  ])('on %s for fifty are exactly fifty', async (funds, row) => {
    const answers = await order([await world.caller(row)]);
    // A busy machine's node may be too late for one of so many: refused before anything was written.
    const { NODE_UNAVAILABLE: unread = 0, ...others } = codes(answers);
    expect(others).toEqual({ success: ENOUGH_FOR, INSUFFICIENT_BALANCE: ORDERS - ENOUGH_FOR - unread });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
    record(7, `orders on ${funds} for ${ENOUGH_FOR}`, ORDERS, ORDERS, `exactly ${ENOUGH_FOR}`);
  });

  it('on stake for fifty, of which another holder of the key delegates and takes back meanwhile, are never more, and exactly fifty once it is there; none is charged for nothing', async () => {
    // What an order takes at this chain's price of energy, and half of one that is of no use.
    const [last] = await world.query(`select max(stake_sun)::bigint as sun from delegations`);
    const stakeSun = Number(last!['sun']);
    const { address, privateKey } = utils.accounts.generateAccount();
    const key = privateKey.replace(/^0x/i, '').toLowerCase();
    const account = { address: address.base58, type: 'Normal', balance_sun: 10_000_000_000 };
    await world.control('account', { ...account, staked_energy_sun: Math.floor((ENOUGH_FOR + 0.5) * stakeSun) });
    await world.query(`update pool_wallets set state = 'paused' where role = 'delegate' returning id`);
    const stranger = new StakeStranger(world, address.base58, key, stakeSun);
    // What it has lent while the first orders come, it keeps until all of them are answered; the wallet's first reading shows it.
    const kept = 10;
    await stranger.lend(kept);
    await until('its loan is final', async () => (await stranger.freeSun()) < (ENOUGH_FOR - kept + 1) * stakeSun);
    await world.addKey('small', address.base58, 'delegate', key);
    await world.untilRow(
      `select 1 from pool_wallets where name = 'small' and delegable_sun between ${(ENOUGH_FOR - kept) * stakeSun} and ${(ENOUGH_FOR - kept + 1) * stakeSun}`,
    );

    const callers = await Promise.all(Array.from({ length: 20 }, () => world.caller()));
    const receiver = await world.receiver();
    const pace = new BlockPace(world);
    const [first, answers]: [number, Answer[]] = [await stranger.head(), []];
    let changing = true;
    const wave = order(callers, receiver);
    const trickle = callers.map(async (caller) => {
      while (changing) {
        answers.push(...(await order([caller], receiver, 1)));
        await pace.nextBlock();
      }
    });
    await stranger.change(CHANGES);
    const atOnce = await wave;
    answers.push(...atOnce);
    changing = false;
    const end = await stranger.head();
    await Promise.all(trickle);
    const meanwhile = await stranger.changesBetween(first, end);
    expect(meanwhile.lent).toBeGreaterThanOrEqual(CHANGES / 2);
    expect(meanwhile.takenBack).toBeGreaterThanOrEqual(CHANGES / 2);
    const before = codes(answers);
    expect(Object.keys(before).filter((code) => !MAY_BE_TOLD.includes(code))).toEqual([]);
    expect(before['success']).toBeGreaterThan(0);
    expect(before['success']).toBeLessThanOrEqual(ENOUGH_FOR - kept);

    // All of it is there again, and what failed meanwhile is dead or back.
    await stranger.takeAllBack();
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    await until('what landed after a failure is back', async () => {
      return (await world.query(`select 1 from delegations where state = 'taking_back'`)).length === 0;
    });
    const later = await order(callers, receiver);
    // With nothing of ours under way no block is read in full, so what others gave back is noticed by the round of every minute alone.
    const enough = async () => {
      await pace.nextBlock();
      later.push(...(await order(callers, receiver, callers.length)));
      return before['success']! + (codes(later)['success'] ?? 0) >= ENOUGH_FOR;
    };
    await until('fifty lent', enough);
    const after = codes(later);
    // A busy machine's node may be too late for one of so many: refused before anything was written.
    const { NODE_UNAVAILABLE: _, ...others } = after;
    expect(Object.keys(others).toSorted()).toEqual(['INSUFFICIENT_ENERGY', 'success']);
    expect(before['success']! + after['success']!).toBe(ENOUGH_FOR);
    await untilSettled(world.app.sql);
    await expectChainTruth(world, stranger.loans);
    const lent = await world.query(
      `select 1 from delegations d join pool_wallets w on w.id = d.wallet_id where w.name = 'small' and d.state = 'delegated'`,
    );
    const seen = `${before['success']} delegated while another holder of the key delegated ${meanwhile.lent} times and took back ${meanwhile.takenBack} times, ${answers.length - before['success']!} not; ${after['success']} once it was back, then none; ${answers.length + later.length} asked for in all`;
    expect(lent).toHaveLength(ENOUGH_FOR);
    record(8, `parallel orders on stake for ${ENOUGH_FOR}`, atOnce.length, ORDERS, seen);
  });
});
