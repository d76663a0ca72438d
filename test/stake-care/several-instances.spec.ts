import { CarryOut } from '../../src/stake-care/carry-out';
import { CareTurns } from '../../src/stake-care/care-turns';
import { OperationRepository } from '../../src/stake-care/operation.repository';
import { PlanOperation } from '../../src/stake-care/plan-operation';
import type { TestApp } from '../support/test-app';
import { ANN, CareWorld, HOUR_MS } from './care-world';

describe('the care of several instances', () => {
  let care: CareWorld;
  let other: TestApp;
  beforeAll(async () => {
    care = await CareWorld.open();
    other = await care.world.startInstance();
    care.stopTurns(other);
    await care.care();
  });
  afterAll(() => care.world.close());

  it('votes once, however many look at the same time', async () => {
    const both = [care.world.app, other];
    await Promise.all([...both, ...both].map((app) => care.run(app)));
    expect((await care.operations()).map(({ kind }) => kind)).toEqual(['vote']);
    await care.settle();
    await care.later(6 * HOUR_MS);
    await care.world.query(`update stake_care set votes = votes - 1 returning wallet_id`);
    await Promise.all([...both, ...both].map((app) => care.run(app)));
    await care.settle();
    expect((await care.states()).filter((state) => state.startsWith('vote'))).toEqual(['vote final', 'vote final']);
    const sent = await care.world.query(`select state from chain_transactions where purpose = 'vote'`);
    expect(sent).toEqual([{ state: 'final' }, { state: 'final' }]);
  });

  it('has one begin a run at a time', async () => {
    const turns = [care.world.app, other].map(({ app }) => app.get(CareTurns).claim(60_000));
    expect((await Promise.all(turns)).filter(Boolean)).toHaveLength(1);
  });

  it('signs what both have taken up and saves it once, and no second one of its kind is planned', async () => {
    const plan = care.world.app.app.get(PlanOperation);
    const wanted = { name: 'pool', kind: 'freeze', resource: 'energy', amountSun: 7_000_000n } as const;
    const operation = await plan.plan(ANN, wanted);
    await expect(plan.plan(ANN, wanted)).rejects.toMatchObject({ code: 'stake.under-way' });
    await Promise.all([care.world.app, other].map(({ app }) => app.get(CarryOut).carryOut(operation)));
    await care.settle();
    const sent = await care.world.query(`select state from chain_transactions where subject_id = $1`, [operation.id]);
    expect(sent).toEqual([{ state: 'final' }]);
    const after = await care.world.app.app.get(OperationRepository).find(operation.id);
    expect(after).toMatchObject({ state: 'final', error: null });
  });

  it('decide once for what a claim is staked again: what another one decides later changes nothing', async () => {
    const [{ id }] = (await care.world.query(
      `insert into stake_operations (id, wallet_id, kind, amount_sun, requested_by, state, block_number, final_at, is_paid)
       select gen_random_uuid(), id, 'claim', 9, 'test', 'final', 1, now(), true from pool_wallets where name = 'pool' returning id`,
    )) as [{ id: string }];
    const [one, another] = [care.world.app, other].map(({ app }) => app.get(OperationRepository));
    const decided = { restake_energy_sun: 5_000_000n, restake_bandwidth_sun: 3_000_000n };
    expect(await one!.decideRestake(id, 5_000_000n, 3_000_000n)).toMatchObject(decided);
    expect(await another!.decideRestake(id, 1_000_000n, 7_000_000n)).toMatchObject(decided);
  });

  it('count what a claim has brought once, whichever of them asked for it first', async () => {
    const [{ id }] = (await care.world.query(
      `insert into stake_operations (id, wallet_id, kind, amount_sun, requested_by, state, block_number, final_at)
       select gen_random_uuid(), id, 'claim', 9, 'test', 'final', 1, now() from pool_wallets where name = 'pool' returning id`,
    )) as [{ id: string }];
    await Promise.all([care.world.app, other].map(({ app }) => app.get(OperationRepository).paid(id, 3_000_000n)));
    await other.app.get(OperationRepository).paid(id, 4_000_000n);
    expect(await care.world.query('select claimed_sun from stake_rewards')).toEqual([{ claimed_sun: 3_000_000n }]);
  });
});
