import { utils } from 'tronweb';
import { Capacity } from '../../../src/chain/pool/wallets/capacity';
import { OrderTransactionRepository } from '../../../src/delegation/placing/order-transaction.repository';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { NodeProxy } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const BROADCAST = 'wallet/broadcasttransaction';
const UNAVAILABLE = 'ACTIVATION_UNAVAILABLE';

describe('an activation wallet whose transactions are refused for good', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  let other: TestApp;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      // Longer than a test may last: an order that waits for it is not answered here.
      env: { ANSWER_TIMEOUT: '5m' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    caller = await world.caller({ balance: 100 });
    other = await world.startInstance();
    // The richest wallet, so that it is the first to be chosen; the permission that it is to sign with does not exist.
    const { address, privateKey } = utils.accounts.generateAccount();
    const account = { address: address.base58, type: 'Normal', staked_energy_sun: 0 };
    await world.control('account', { ...account, balance_sun: 900_000_000_000_000 });
    await world.addKey('rich', address.base58, 'activate', privateKey.toLowerCase(), 5);
    await world.untilRow(`select 1 from pool_wallets where name = 'rich' and balance_sun > 0`);
    for (const app of [world.app, other]) await app.app.get(Capacity).refresh();
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  const order = (receiver: string, app: { readonly url: string } = world.app) =>
    world.delegate(caller, { receiver_address: receiver, amount: 1, activate_address: true }, {}, app);
  const code = ({ headers }: { headers: Headers }) => headers.get('x-error-code') ?? 'success';

  it('answers all orders for that receiver without waiting, those that wait for it on other instances too', async () => {
    let refuse!: () => void;
    const refused = new Promise<void>((resolve) => (refuse = resolve));
    proxy.before = ({ route }) => (route === BROADCAST ? refused : undefined);
    const receiver = await world.receiver(false);
    const first = order(receiver);
    await world.untilRow(`select 1 from chain_transactions where receiver = $1`, [receiver]);
    const followers = [world.app, other, world.app].map((app) => order(receiver, app));
    await world.untilRow(`select 1 from delegations where receiver = $1 having count(*) = 4`, [receiver]);
    refuse();
    expect((await Promise.all([first, ...followers])).map(code)).toEqual(Array.from({ length: 4 }, () => UNAVAILABLE));
    expect(code(await order(receiver, other))).toBe(UNAVAILABLE);
    proxy.before = () => undefined;
  });

  it('is passed over for the next one, so that other receivers are activated', async () => {
    const [one, two] = [await order(await world.receiver(false)), await order(await world.receiver(false))];
    expect([code(one), code(two)]).toEqual(['success', 'success']);
    // The other instance has not met the refusal: the wallet rests on all of them.
    const codes = [
      code(await order(await world.receiver(false), other)),
      code(await order(await world.receiver(false), other)),
    ];
    expect(codes).toEqual(['success', 'success']);
    const rest = `select refusals, last_refusal ->> 'purpose' as purpose from pool_wallets where resting_until > now()`;
    expect(await world.query(rest)).toEqual([{ refusals: 1, purpose: 'activation' }]);
  });

  it('has no late word of a refusal withdraw an activation that a node has taken', async () => {
    const receiver = await until('an order that is not refused', async () => {
      const address = await world.receiver(false);
      return code(await order(address)) === 'success' && address;
    });
    const text = `select tx_id, resend from chain_transactions where purpose = 'activation' and receiver = $1`;
    const activation = () => world.query(text, [receiver]);
    const [before] = await activation();
    const transactions = world.app.app.get(OrderTransactionRepository);
    expect(await transactions.withdrawActivation(String(before!['tx_id']))).toBe(false);
    expect(await activation()).toEqual([{ ...before, resend: true }]);
  });

  it('costs no user anything', async () => {
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
    const balance = await world.get(caller, '/api/user/balance');
    expect(balance.body).toMatchObject({ data: { balance: 100 - 5 * 4.5 } });
    // What was refused is not sent again for an order that was answered with a failure.
    const activations = `select state, count(*) as number from chain_transactions where purpose = 'activation' group by state order by state`;
    expect(await world.query(activations)).toEqual([
      { state: 'dead', number: 1n },
      { state: 'final', number: 5n },
    ]);
  });
});
