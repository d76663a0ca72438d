import { TronWeb, utils } from 'tronweb';
import { record } from '../support/bar';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { type Answer, type Caller, OrderWorld } from '../support/order-world';
import type { ServiceChild } from '../support/service-child';
import { until } from '../support/until';

const ORDERS = 200;
const ENOUGH_FOR = 50;
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

  async function order(callers: Caller[]): Promise<Answer[]> {
    const receiver = await world.receiver();
    const one = (_: unknown, at: number) =>
      world.delegate(callers[at % callers.length]!, { receiver_address: receiver, amount: 1 }, {}, instances[at % 2]);
    return Promise.all(Array.from({ length: ORDERS }, one));
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
    expect(codes(answers)).toEqual({ success: ENOUGH_FOR, INSUFFICIENT_BALANCE: ORDERS - ENOUGH_FOR });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
    record(7, `orders on ${funds} for ${ENOUGH_FOR}`, ORDERS, ORDERS, `exactly ${ENOUGH_FOR}`);
  });

  it('on stake for fifty, some of which somebody else lends and takes back meanwhile, are at most fifty, none charged for nothing', async () => {
    // What an order takes at this chain's price of energy, and half of one that is of no use.
    const [last] = await world.query(`select max(stake_sun)::bigint as sun from delegations`);
    const stakeSun = Number(last!['sun']);
    const { address, privateKey } = utils.accounts.generateAccount();
    const account = { address: address.base58, type: 'Normal', balance_sun: 10_000_000_000 };
    await world.control('account', { ...account, staked_energy_sun: Math.floor((ENOUGH_FOR + 0.5) * stakeSun) });
    await world.query(`update pool_wallets set state = 'paused' where role = 'delegate' returning id`);
    await world.addKey('small', address.base58, 'delegate', privateKey.replace(/^0x/i, '').toLowerCase());
    // The reading is of a solid block: until it knows the new account, the wallet has nothing.
    await world.node('control/block', { count: 6 });
    await world.untilRow(`select 1 from pool_wallets where name = 'small' and delegable_sun > 0`);

    const tronWeb = new TronWeb({ fullHost: world.chain.url, privateKey: privateKey.replace(/^0x/i, '') });
    const { transactionBuilder: builder } = tronWeb;
    const friend = await world.receiver();
    const outside = stakeSun * 5;
    const send = async (unsigned: Awaited<ReturnType<typeof builder.delegateResource>>) => {
      const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(unsigned));
      expect(sent).toMatchObject({ result: true });
      return unsigned.txID;
    };
    const untilSolid = (txId: string) =>
      until('it is solid', async () => {
        const found = await world.node('walletsolidity/gettransactioninfobyid', { value: txId });
        return found['id'] !== undefined;
      });
    const callers = await Promise.all(Array.from({ length: 20 }, () => world.caller()));
    // Before the first order, so that the chain has it; the service reads of it only once it is solid.
    const lent = await send(await builder.delegateResource(outside, friend, 'ENERGY', address.base58));
    const ordered = order(callers);
    await untilSolid(lent);
    const back = await builder.undelegateResource(outside, friend, 'ENERGY', address.base58).then(send);
    const answers = await ordered;
    await untilSolid(back);
    const succeeded = codes(answers)['success']!;
    expect(succeeded).toBeLessThanOrEqual(ENOUGH_FOR);
    expect(succeeded).toBeGreaterThan(0);
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql, 120_000);
    await until('what landed after a failure is back', async () => {
      return (await world.query(`select 1 from delegations where state = 'taking_back'`)).length === 0;
    });
    await expectChainTruth(world, [lent]);
    const seen = `${succeeded} lent and charged; somebody else lent the stake of five, and took it back`;
    record(8, `orders on stake for ${ENOUGH_FOR}`, ORDERS, ORDERS, seen);
  });
});
