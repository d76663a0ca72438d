import { STAKE_MISSING } from '../../../src/chain/pool/wallets/closed-pairs';
import { CheckEverything } from '../../../src/reconciliation/check-everything';
import { takeBackByHand } from '../../support/by-hand';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const KEY = 'KEY_THAT_ONE_INSTANCE_HAS';
const LENT = 3;

describe('an instance that lacks the key with which others take back', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ env: { RECLAIM_SWEEP: '1h' } });
  });
  afterAll(async () => {
    delete process.env[KEY];
    await world.close();
  });

  const rows = () => world.query('select attempts, next_attempt_at, claimed_until, last_error from delegations');
  const all = (row: object) => Array.from({ length: LENT }, () => row);

  it('says so on what no instance takes back, and delays nothing for one that has it', async () => {
    const { private_key: key } = world.chain.accounts.find(({ role }) => role === 'pool')!;
    process.env[KEY] = key;
    await world.query(`update pool_wallets set key_source = $1 where name = 'pool' returning id`, [`env:${KEY}`]);
    const caller = await world.caller();
    for (let at = 0; at < LENT; at++)
      await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await untilSettled(world.app.sql);
    delete process.env[KEY];

    await world.control('clock', { ms: 3_601_000 });
    await world.control('block');
    await until('all are due', async () => (await world.sweepOnce()).due === LENT);
    const untouched = { attempts: 0, next_attempt_at: null, claimed_until: null };
    expect(await rows()).toEqual(all({ ...untouched, last_error: null }));
    await world.control('clock', { ms: 31_000 });
    await world.control('block');
    const noted = { ...untouched, last_error: `the key variable ${KEY} is not set` };
    await until('the missing key is noted', async () => {
      await world.sweepOnce();
      return (await rows()).every(({ last_error: error }) => error !== null);
    });
    for (let again = 0; again < 3; again++) expect(await world.sweepOnce()).toEqual({ due: LENT, sent: 0, failed: 0 });
    expect(await rows()).toEqual(all(noted));
    expect(await world.query(`select 1 from delegation_events where kind = 'reclaim failed'`)).toHaveLength(LENT);

    await world.query(`update delegations set reclaim_due_at = now() - interval '16 minutes' returning id`);
    const { findings } = await world.app.app.get(CheckEverything).run();
    expect(findings.filter(({ kind }) => kind === 'overdue_reclaim')).toHaveLength(LENT);

    const other = await world.startProcess({ [KEY]: key, RECLAIM_SWEEP: '500ms' });
    await until('the other has taken all back', async () => {
      await world.sweepOnce();
      const left = await world.query(`select 1 from delegations where state <> 'reclaimed'`);
      return left.length === 0;
    });
    await other.stop('SIGTERM');
    expect(await rows()).toEqual(all({ ...untouched, claimed_until: null, last_error: null }));
    await expectChainTruth(world);
  });

  it('ends an order of which nothing is left to take back, although no instance has the key', async () => {
    const { private_key: key } = world.chain.accounts.find(({ role }) => role === 'pool')!;
    process.env[KEY] = key;
    const receiver = await world.receiver();
    const placed = await world.delegate(await world.caller(), { receiver_address: receiver, amount: 1 });
    const id = placed.headers.get('x-delegation-id')!;
    await untilSettled(world.app.sql);
    delete process.env[KEY];
    const [order] = await world.query(`select stake_sun from delegations where id = $1`, [id]);
    await takeBackByHand(world, receiver, order!['stake_sun'] as bigint);
    await world.query(`update delegations set stake_missing = true, last_error = $2 where id = $1 returning id`, [
      id,
      STAKE_MISSING,
    ]);
    await world.control('clock', { ms: 3_601_000 });
    await until('it has ended', async () => {
      await world.control('block');
      await world.sweepOnce();
      return !['delegated', 'reclaiming'].includes((await world.show(id))!.state);
    });
  });
});
