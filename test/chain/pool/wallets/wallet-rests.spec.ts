import { utils } from 'tronweb';
import { PoolWallets } from '../../../../src/chain/pool/wallets/pool-wallets';
import { WalletRestRepository } from '../../../../src/chain/pool/wallets/wallet-rest.repository';
import { OrderHistories } from '../../../../src/delegation/order-histories';
import { FindingRepository } from '../../../../src/findings/finding.repository';
import { Reconciler } from '../../../../src/reconciliation/reconciler';
import { MetricsEndpoint } from '../../../../src/telemetry/metrics/metrics.endpoint';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';
import type { TestApp } from '../../../support/test-app';
import { until } from '../../../support/until';

const NO_SUCH_PERMISSION = 5;

describe('a pool wallet whose transactions are refused for its own fault', () => {
  let world: OrderWorld;
  let other: TestApp;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({ env: { METRICS_PORT: '0' } });
    other = await world.startInstance();
    caller = await world.caller({ balance: 10_000 });
    // If two wallets fit, the smaller one is chosen first.
    const { address, privateKey } = utils.accounts.generateAccount();
    const account = { address: address.base58, type: 'Normal', balance_sun: 1_000_000_000 };
    await world.control('account', { ...account, staked_energy_sun: 1_000_000_000_000 });
    await world.control('block', { count: 6 });
    await world.addKey('tight', address.base58, 'delegate', privateKey.toLowerCase());
    await until('both read', async () => {
      await world.tryToReadWallets();
      return (
        (await world.query(`select 1 from pool_wallets where role = 'delegate' and delegable_sun = 0`)).length === 0
      );
    });
  });
  afterAll(() => world.close());

  const order = async (app: { readonly url: string } = world.app): Promise<Answer> =>
    world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 }, {}, app);
  const orders = (count: number, app?: { readonly url: string }) =>
    Promise.all(Array.from({ length: count }, () => order(app)));
  const code = ({ headers }: Answer) => headers.get('x-error-code') ?? 'success';
  const refusedOf = (answers: readonly Answer[]) => answers.map(code).filter((answered) => answered !== 'success');
  const tight = async () => (await world.app.app.get(PoolWallets).list()).find(({ name }) => name === 'tight')!;
  const set = (change: string) => world.query(`update pool_wallets set ${change} where name = 'tight' returning id`);
  const sick = () => set(`permission_id = ${NO_SUCH_PERMISSION}`);
  const healed = () => set('permission_id = 0');
  const restIsOver = () => set(`resting_until = clock_timestamp() - interval '1 second'`);
  const openFindings = async () =>
    (await world.app.app.get(FindingRepository).list()).filter(({ kind }) => kind === 'wallet_refused');
  /** By wallet. */
  const metric = async (name: string) => {
    const text = await (await fetch(world.app.app.get(MetricsEndpoint).url!)).text();
    const lines = text.matchAll(new RegExp(`^${name}\\{.*wallet="(\\w+)".*\\} (\\d+)$`, 'gm'));
    return Object.fromEntries([...lines].map(([, wallet, value]) => [wallet, Number(value)]));
  };
  /** Minutes that it rests from now on, rounded. */
  const rest = async () => Math.round((((await tight()).resting_until?.getTime() ?? 0) - Date.now()) / 60_000);

  it('rests on every instance, so that of twenty orders behind the first all are taken by others', async () => {
    await sick();
    const first = await order();
    expect(code(first)).toBe('INTERNAL');
    const answers: Answer[] = [];
    for (let n = 0; n < 10; n++) answers.push(...(await Promise.all([order(), order(other)])));
    expect(refusedOf(answers)).toEqual([]);
    expect([await rest(), (await tight()).refusals]).toEqual([1, 1]);
    expect(await metric('energy_pool_refusals')).toEqual({ pool: 0, tight: 1, activate: 0 });
    expect(await metric('energy_pool_resting')).toEqual({ pool: 0, tight: 1, activate: 0 });

    const id = first.headers.get('x-delegation-id')!;
    const refusal = expect.stringMatching(/^SIGERROR: Validate signature error: ./) as string;
    expect(await world.show(id)).toMatchObject({ wallet: 'tight', last_error: refusal });
    const history = await world.app.app.get(OrderHistories).history(id);
    expect(history).toContainEqual(
      expect.objectContaining({ kind: 'answered', detail: { answer: 'failure', code: 'INTERNAL', reason: refusal } }),
    );
    expect(history.find(({ kind }) => kind === 'delegation sent')).toMatchObject({
      detail: { nodes: [{ code: 'SIGERROR' }] },
    });
  });

  it('is a finding until it works again', async () => {
    expect(await openFindings()).toMatchObject([
      {
        subject: 'tight',
        reason: expect.stringContaining(
          'the network refused 1 transaction, most recently its delegation for SIGERROR: ',
        ) as string,
      },
    ]);
    await world.app.app.get(Reconciler).run();
    expect(await openFindings()).toHaveLength(1);
  });

  it('is tried by one order alone after its rest, and rests twice as long, up to half an hour', async () => {
    for (const [refusals, minutes] of [
      [1, 2],
      [2, 4],
      [4, 16],
      [5, 30],
      [60, 30],
    ] as const) {
      await set(`refusals = ${refusals}`);
      await restIsOver();
      const answers = (await Promise.all([orders(6), orders(6, other)])).flat();
      expect({ refusals, codes: refusedOf(answers) }).toEqual({ refusals, codes: ['INTERNAL'] });
      expect([await rest(), (await tight()).refusals]).toEqual([minutes, refusals + 1]);
    }
  });

  it('is not kept from others by an order that could not be written', async () => {
    await healed();
    await restIsOver();
    const poor = await world.caller({ balance: 0 });
    const unpaid = await world.delegate(poor, { receiver_address: await world.receiver(), amount: 1 });
    expect(code(unpaid)).toBe('INSUFFICIENT_BALANCE');
    expect((await tight()).rests).toBe(false);
    await sick();
  });

  it('is kept for the order that tries it when the one before gives its own try back', async () => {
    const rests = world.app.app.get(WalletRestRepository);
    const { id } = await tight();
    await set('refusals = 1');
    await restIsOver();
    const first = await rests.takeTurn(id);
    await restIsOver();
    const second = await rests.takeTurn(id);
    await rests.giveBack(id, first!.turn!);
    expect((await tight()).rests).toBe(true);
    await rests.giveBack(id, second!.turn!);
    expect((await tight()).rests).toBe(false);
  });

  it('leaves no wallet to take an order when all others rest or are paused, which is answered as a lack of energy', async () => {
    await set(`resting_until = clock_timestamp() + interval '1 minute'`);
    await world.app.app.get(PoolWallets).setState('pool', 'paused');
    const answer = await order();
    expect([answer.status, code(answer)]).toEqual([501, 'INSUFFICIENT_ENERGY']);
    await world.app.app.get(PoolWallets).setState('pool', 'active');
  });

  it('takes orders again once one of it is in a block, and stops being a finding', async () => {
    await healed();
    await restIsOver();
    const answer = await order();
    expect(code(answer)).toBe('success');
    expect(await world.show(answer.headers.get('x-delegation-id')!)).toMatchObject({ wallet: 'tight' });
    await until('healthy', async () => (await tight()).refusals === 0);
    await world.app.app.get(Reconciler).run();
    expect(await openFindings()).toEqual([]);
    expect(refusedOf(await orders(5))).toEqual([]);
  });

  it('goes on resting when a block has what it signed before it was refused', async () => {
    const answer = await order();
    await untilSettled(world.app.sql);
    const [{ id }] = (await world.query('select id from chain_transactions where subject_id = $1', [
      answer.headers.get('x-delegation-id'),
    ])) as [{ id: bigint }];
    const rests = world.app.app.get(WalletRestRepository);
    const worked = () => world.app.sql.transaction((tx) => rests.worked(tx, [id]));
    await set(
      `refusals = 1, refused_at = clock_timestamp(), last_refusal = '{"purpose": "delegation", "reason": "test"}'`,
    );
    expect(await worked()).toEqual([]);
    await set(`refused_at = clock_timestamp() - interval '1 hour'`);
    expect(await worked()).toEqual(['tight']);
  });

  it('counts once what was under way to it together', async () => {
    await sick();
    await orders(12);
    expect([await rest(), (await tight()).refusals]).toEqual([1, 1]);
    expect(refusedOf(await orders(20))).toEqual([]);
  });

  it('takes orders at the moment when an operator resumes it', async () => {
    await healed();
    await world.app.app.get(PoolWallets).setState('tight', 'active');
    expect(await tight()).toMatchObject({ refusals: 0, rests: false });
    const answer = await order();
    expect(await world.show(answer.headers.get('x-delegation-id')!)).toMatchObject({ wallet: 'tight' });
  });

  it('does not rest for what is the fault of the order or the stake', async () => {
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'CONTRACT_VALIDATE_ERROR', count: 1 });
    expect(code(await order())).toBe('INTERNAL');
    expect(await tight()).toMatchObject({ refusals: 0, rests: false });
  });

  it('stops being a finding when an operator pauses it, for then nothing could show that it works', async () => {
    await sick();
    await order();
    await world.app.app.get(Reconciler).run();
    expect(await openFindings()).toHaveLength(1);
    await world.app.app.get(PoolWallets).setState('tight', 'paused');
    await world.app.app.get(Reconciler).run();
    expect(await openFindings()).toEqual([]);
    await set(`refusals = 1, last_refusal = '{"purpose": "reclaim", "reason": "test"}'`);
    await world.app.app.get(PoolWallets).setState('tight', 'draining');
    await world.app.app.get(Reconciler).run();
    expect(await openFindings()).toHaveLength(1);
    await healed();
    await world.app.app.get(PoolWallets).setState('tight', 'active');
  });

  it('costs no user anything', async () => {
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });
});
