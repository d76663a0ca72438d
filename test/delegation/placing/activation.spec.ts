import { TronWeb } from 'tronweb';
import { SlotLength } from '../../../src/chain/verified-chain/slot-length';
import { PoolWallets } from '../../../src/chain/pool/wallets/pool-wallets';
import { acknowledgeUse } from '../../support/by-hand';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { type Caller, OrderWorld } from '../../support/order-world';

const BROADCAST = 'wallet/broadcasttransaction';

describe('activating a receiver', () => {
  let world: OrderWorld;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      env: { ANSWER_TIMEOUT: '20s' },
      // Orders are placed although no block becomes final meanwhile.
      overrides: (builder) => builder.overrideProvider(SlotLength).useValue({ ofMs: () => 60_000 }),
    });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    caller = await world.caller({ balance: 100 });
    // A wallet that was refused for its own fault rests.
    await world.app.app.get(PoolWallets).setState('pool', 'active');
  });
  afterEach(async () => {
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  const balance = async () =>
    ((await world.get(caller, '/api/user/balance')).body['data'] as { balance: number }).balance;
  const order = async (receiver?: string) =>
    world.delegate(caller, {
      receiver_address: receiver ?? (await world.receiver(false)),
      amount: 1,
      activate_address: true,
    });
  const activations = (receiver: string) =>
    world.query(`select state from chain_transactions where purpose = 'activation' and receiver = $1`, [receiver]);

  it('happens once for parallel orders on two instances, and one of them pays for it', async () => {
    const instances = [world.app, await world.startInstance()];
    const receiver = await world.receiver(false);
    const body = { receiver_address: receiver, amount: 1, activate_address: true };
    const request = (_: unknown, at: number) => world.delegate(caller, body, {}, instances[at % 2]);
    const answers = await Promise.all(Array.from({ length: 8 }, request));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(await activations(receiver)).toHaveLength(1);
    expect(await balance()).toBe(100 - 8 * 3 - 1.5);
  });

  it('that is refused is not charged, and neither is the order', async () => {
    await world.control('fault', { route: BROADCAST, kind: 'CONTRACT_VALIDATE_ERROR', count: 1 });
    const answer = await order();
    expect(answer.headers.get('x-error-code')).toBe('ACTIVATION_UNAVAILABLE');
    expect(answer.headers.get('x-delegation-id')).not.toBeNull();
    expect(await balance()).toBe(100);
  });

  it('whose outcome is unknown is waited for in the blocks', async () => {
    await world.control('fault', { route: BROADCAST, kind: 'pool-then-500', count: 2 });
    const answer = await order();
    expect(answer.status).toBe(200);
    expect(await balance()).toBe(95.5);
  });

  it('that lands is not charged when its delegation fails', async () => {
    const receiver = await world.receiver(false);
    await world.control('fault', { route: BROADCAST, kind: 'pool-then-500', count: 2 });
    await world.control('fault', { route: BROADCAST, kind: 'SIGERROR', count: 1 });
    expect((await order(receiver)).headers.get('x-error-code')).toBe('INTERNAL');
    expect(await activations(receiver)).toHaveLength(1);
    expect(await balance()).toBe(100);
  });

  it('of a receiver that somebody else activates meanwhile goes through all the same', async () => {
    const receiver = await world.receiver(false);
    const placed = order(receiver);
    await world.control('account', { address: receiver, type: 'Normal', balance_sun: 5, staked_energy_sun: 0 });
    expect((await placed).status).toBe(200);
    expect(await world.energyOf(receiver)).toBeGreaterThanOrEqual(65_000);
  });

  it('that is in a block and not final yet is what the next order names: it can land only behind that block', async () => {
    const receiver = await world.receiver(false);
    await world.stopFinality();
    expect((await order(receiver)).status).toBe(200);
    const [activation] = await world.query(
      `select state, block_number from chain_transactions where purpose = 'activation' and receiver = $1`,
      [receiver],
    );
    const next = await order(receiver);
    expect(next.status).toBe(200);
    const reference = `select ref_block_number from chain_transactions where purpose = 'delegation' and subject_id = $1`;
    const [delegation] = await world.query(reference, [next.headers.get('x-delegation-id')]);
    await world.resumeFinality();
    expect(activation).toMatchObject({ state: 'included' });
    expect(delegation!['ref_block_number']).toEqual(activation!['block_number']);
  });

  it('that no wallet can pay for is refused before anything is held', async () => {
    await world.app.app.get(PoolWallets).setState('activate', 'paused');
    const answer = await order();
    expect(answer).toMatchObject({ status: 500, body: { success: false } });
    expect(answer.headers.get('x-error-code')).toBe('ACTIVATION_UNAVAILABLE');
    expect(answer.headers.get('x-delegation-id')).toBeNull();
    expect(await world.query(`select 1 from delegations where user_id = $1`, [caller.id])).toEqual([]);
    await world.app.app.get(PoolWallets).setState('activate', 'active');
  });
});

describe('a wallet whose stake was taken away from outside', () => {
  it('is a 501 that charges nothing, and the stake stays reserved until the order is dead', async () => {
    const world = await OrderWorld.open({ block: 'manual' });
    await world.control('block', { count: 6 });
    const caller = await world.caller({ balance: 3 });
    const body = { receiver_address: await world.receiver(), amount: 1 };
    // Unstaked with the wallet's own key, in a block that is not solid yet: no reading of the pool can know.
    const { address, private_key: privateKey } = world.chain.accounts.find(({ role }) => role === 'pool')!;
    const tronWeb = new TronWeb({ fullHost: world.chain.url, privateKey });
    const unstake = await tronWeb.transactionBuilder.unfreezeBalanceV2(9_999_995_000_000, 'ENERGY', address);
    await acknowledgeUse(world, unstake.txID, address);
    expect(await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(unstake))).toMatchObject({ result: true });
    await world.control('block');
    const answer = await world.delegate(caller, body);
    expect(answer).toMatchObject({ status: 501, body: { error: '能量不足,请稍后再试' } });
    const id = answer.headers.get('x-delegation-id')!;
    expect(await world.show(id)).toMatchObject({ state: 'sent', answer: 'failure', cost_sun: 0n });
    expect((await world.get(caller, '/api/user/balance')).body).toMatchObject({ data: { balance: 3 } });
    await world.control('clock', { ms: 61_000 });
    await world.control('block', { count: 6 });
    await world.untilState(id, 'failed');
    await expectChainTruth(world);
    await world.close();
  });
});
