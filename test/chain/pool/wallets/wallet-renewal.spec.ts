import { utils } from 'tronweb';
import { toHexAddress } from '../../../../src/chain/tron/addresses';
import { Capacity, idlePart } from '../../../../src/chain/pool/wallets/capacity';
import { Clock } from '../../../../src/common/clock';
import { lendByHand } from '../../../support/by-hand';
import { NodeProxy } from '../../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';
import { SettableClock } from '../../../support/movable-clock';
import { until } from '../../../support/until';

const READINGS = ['walletsolidity/getcandelegatedmaxsize', 'walletsolidity/getaccount', 'wallet/getaccountresource'];
const LENDING = 4;
/** Those that lend, and one that activates and is not asked what it could lend. */
const ALL = LENDING * 3 + 2;

it.each([
  [1, 1],
  [5, 1],
  [10, 2],
  [30, 2],
  [60, 4],
  [100, 7],
])(
  'of %i wallets, %i are read each minute without orders: every five minutes, or two, or every quarter of an hour',
  (count, part) => {
    expect(idlePart(count)).toBe(part);
  },
);

/** The instance's time stands still: nothing is due by itself. */
describe('the readings of the pool’s wallets', () => {
  const clock = new SettableClock();
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  let pool: string;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 200,
      env: { DELEGATION_ANSWER: 'accepted' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
    });
    caller = await world.caller({ balance: 10_000 });
    for (let at = 0; at < 3; at++) await addWallet(`small-${at}`);
    pool = toHexAddress(world.chain.accounts.find(({ role }) => role === 'pool')!.address);
    await world.untilRow(`select 1 from pool_wallets having bool_and(observed_at is not null)`);
    // What their stake does is read by the same calls, first soon after the start and then an hour later.
    await world.untilRow(`select 1 from stake_readings having count(*) = ${LENDING} and bool_and(read_ms is not null)`);
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  beforeEach(async () => {
    proxy.before = () => undefined;
    clock.advance(1_000);
    await world.app.app.get(Capacity).refresh();
    proxy.calls.length = 0;
  });

  async function addWallet(name: string): Promise<void> {
    const { address, privateKey } = utils.accounts.generateAccount();
    const account = { address: address.base58, type: 'Normal', balance_sun: 1_000_000_000 };
    await world.control('account', { ...account, staked_energy_sun: 20_000_000_000 });
    await world.addKey(name, address.base58, 'delegate', privateKey.toLowerCase());
  }
  const readings = (address?: string) =>
    proxy.calls.filter(({ route, body }) => {
      const of = [body['address'], body['owner_address']];
      return READINGS.includes(route) && (address === undefined || of.includes(address));
    }).length;
  const place = async (amount = 1): Promise<Answer> =>
    world.delegate(caller, { receiver_address: await world.receiver(), amount });
  const order = async () => expect((await place()).status).toBe(200);
  const untilRead = () => until('all wallets are read', async () => readings() >= ALL);

  it('are made with the next order after a pause, which waits for them, and not again within a minute', async () => {
    clock.advance(290_000);
    await order();
    expect(readings()).toBeGreaterThanOrEqual(ALL);
    await world.app.app.get(Capacity).refresh();
    proxy.calls.length = 0;
    for (let at = 0; at < 5; at++) {
      clock.advance(11_000);
      await order();
    }
    expect(readings()).toBe(0);
  });

  it('are renewed once a minute while orders come, and no order waits for that', async () => {
    let letGo!: () => void;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await order();
    proxy.before = ({ route }) => (READINGS.includes(route) ? held : undefined);
    clock.advance(61_000);
    await order();
    await until('they are asked for', async () => readings() > 0);
    await order();
    letGo();
    await untilRead();
  });

  it('are made without orders of a part of the wallets each minute, the oldest ones first', async () => {
    // The last order is over a minute ago.
    clock.advance(61_000);
    await world.app.app.get(Capacity).refresh();
    proxy.calls.length = 0;
    const since = (await world.query('select clock_timestamp() as now'))[0]!['now'];
    const readSince = async () =>
      (await world.query('select 1 from pool_wallets where observed_at > $1', [since])).length;
    for (let minute = 1; minute <= 5; minute++) {
      await world.app.app.get(Capacity).refreshOld();
      clock.advance(61_000);
      await until('one more is read', async () => (await readSince()) >= minute);
      expect(await readSince()).toBe(minute);
    }
  });

  it('are renewed of one wallet alone once a transaction of it that is not ours is solid', async () => {
    const delegable = async () => {
      const text = `select delegable_sun from pool_wallets where name = 'pool'`;
      return (await world.query(text))[0]!['delegable_sun'] as bigint;
    };
    const before = await delegable();
    // Something of ours is open, so that blocks are read in full.
    await order();
    await lendByHand(world, await world.receiver(), 5_000_000_000n);
    await until('the reading shows it', async () => before - (await delegable()) >= 5_000_000_000n);
    expect(readings()).toBe(readings(pool));
  });

  it('are not renewed for transactions of our own', async () => {
    const answer = await place();
    await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
    expect(readings()).toBe(0);
  });

  it('are renewed before an order is refused, when stake has come back since', async () => {
    await world.query(`update pool_wallets set state = 'paused' where role = 'delegate' returning id`);
    await addWallet('one order');
    await until('it is solid', async () => {
      const { address } = (await world.query(`select address from pool_wallets where name = 'one order'`))[0]!;
      return (await world.node('walletsolidity/getaccount', { address, visible: true }))['address'] !== undefined;
    });
    const first = await place(2);
    expect(first.status).toBe(200);
    const id = first.headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    expect((await place(2)).headers.get('x-error-code')).toBe('INSUFFICIENT_ENERGY');
    await world.control('clock', { ms: 3_600_000 });
    await until('it is taken back', async () => {
      await world.sweepOnce();
      return (await world.show(id))?.state === 'reclaimed';
    });
    // The order that was refused has had the wallet read, as its delegation was in a later block than its reading.
    clock.advance(3_001);
    // The second one comes while the wallet is read for the first; not for as long as a block takes.
    proxy.before = async ({ route }) => {
      if (READINGS.includes(route)) await new Promise((resolve) => setTimeout(resolve, 60));
    };
    const both = await Promise.all([place(1), place(1)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('keep no order waiting for long that would be refused, and the next one has what they found', async () => {
    await world.query(`update pool_wallets set state = 'paused' where role = 'delegate' returning id`);
    // Three questions one after the other, of which none comes near the time-out.
    proxy.before = async ({ route }) => {
      const isAsked = READINGS.includes(route) || route === 'walletsolidity/getblock';
      if (isAsked) await new Promise((resolve) => setTimeout(resolve, 2_000));
    };
    await addWallet('behind a slow gateway');
    expect((await place(2)).headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
    await until('an order', async () => (await place(2)).status === 200);
  });

  it.each([
    [9, 'is placed', 200, 1],
    [11, 'is refused, and nothing is written for it', 500, 0],
  ])('take %i s: the order that waits for them %s', async (seconds, _, status, written) => {
    await world.query(`update pool_wallets set state = 'active' where role = 'delegate' returning id`);
    let letGo!: () => void;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    proxy.before = ({ route }) => (READINGS.includes(route) ? held : undefined);
    const next = await world.startInstance();
    proxy.calls.length = 0;
    // It has no wallet's reading: the first order waits for one.
    const receiver = await world.receiver();
    const answer = world.delegate(caller, { receiver_address: receiver, amount: 1 }, {}, next);
    await until('they are asked for', async () => readings() > 0);
    clock.advance(seconds * 1_000);
    letGo();
    expect((await answer).status).toBe(status);
    expect(await world.query('select 1 from delegations where receiver = $1', [receiver])).toHaveLength(written);
    await world.stopInstance(next);
  });

  it('delay no counting of stake that no order is promised any more', async () => {
    await addWallet('to be counted');
    await until('it is read', async () => {
      await world.tryToReadWallets();
      return (await world.query(`select 1 from pool_wallets where name = 'to be counted' and delegable_sun > 0`))[0];
    });
    await world.query(`update pool_wallets set state = 'paused' where name <> 'to be counted' returning id`);
    await world.query(`update pool_wallets set reserved_sun = delegable_sun where name = 'to be counted' returning id`);
    proxy.before = ({ route }) => (READINGS.includes(route) ? NodeProxy.HANG() : undefined);
    clock.advance(61_000);
    await order();
  });
});
