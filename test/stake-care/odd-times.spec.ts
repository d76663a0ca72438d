import { writeFileSync } from 'node:fs';
import { CarryOut } from '../../src/stake-care/carry-out';
import { OperationRepository } from '../../src/stake-care/operation.repository';
import { PlanOperation } from '../../src/stake-care/plan-operation';
import { NodeProxy } from '../support/node-proxy';
import { ANN, CareWorld, DAY_MS, HOUR_MS } from './care-world';

const TRX = 1_000_000n;

describe('an operation on stake', () => {
  let care: CareWorld;
  let node: NodeProxy;
  beforeEach(async () => {
    care = await CareWorld.open({
      nodeUrl: async (url) => {
        node = new NodeProxy(url);
        return node.open();
      },
    });
  });
  afterEach(async () => {
    await care.world.close();
    await node.close();
  });

  const goOn = () => care.world.app.app.get(CarryOut).goOn();
  const plan = () =>
    care.world.app.app
      .get(PlanOperation)
      .plan(ANN, { name: 'pool', kind: 'freeze', resource: 'energy', amountSun: 7n * TRX });
  const shift = (column: string) =>
    care.world.query(`update stake_operations set ${column} = clock_timestamp() + interval '1 hour' returning 1`);

  it("is carried out by another process although its claim ends an hour later, for the database's clock has jumped back", async () => {
    await care.care({ votes: [], claims: false });
    await plan();
    await goOn();
    expect(await care.states()).toEqual(['freeze planned']);
    await shift('claimed_until');
    await goOn();
    expect(await care.states()).toEqual(['freeze sent']);
  });

  it('fails when it was planned at a time that is still to come: how old it is cannot be known', async () => {
    await care.care({ votes: [], claims: false });
    await plan();
    await shift('created_at');
    await shift('claimed_until');
    await goOn();
    expect(await care.states()).toEqual(['freeze failed']);
  });

  it('that no instance could sign for ten minutes gives its occasion back: a later look has it done', async () => {
    writeFileSync(care.keyFile, 'no key');
    await care.care({ claims: false });
    await care.run();
    await goOn();
    expect(await care.states()).toEqual(['vote planned']);
    await care.world.query(`update stake_operations set created_at = created_at - interval '11 minutes' returning 1`);
    await goOn();
    expect(await care.states()).toEqual(['vote failed']);
    writeFileSync(care.keyFile, care.privateKey);
    await care.run();
    expect(await care.states()).toContain('vote sent');
  });

  it('fails with the reason in a database that was restored, and is not sent from an old plan', async () => {
    await care.care({ votes: [], claims: false });
    await plan();
    await care.world.query('update database_identity set system_identifier = system_identifier + 1 returning 1');
    await goOn();
    const [operation] = await care.operations();
    expect(operation).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('was restored or copied') as string,
    });
    expect(await care.world.query('select 1 from chain_transactions')).toEqual([]);
  });

  it('is planned by no look and taken up by no process in a database that was restored', async () => {
    await care.care();
    await plan();
    await care.world.query('update stake_operations set claimed_until = null returning 1');
    const restore = (by: number) =>
      care.world.query('update database_identity set system_identifier = system_identifier + $1 returning 1', [by]);
    const taken = async () => (await care.world.app.app.get(OperationRepository).claimPlanned(30_000)).length;
    await restore(1);
    await care.run();
    expect([await care.states(), await taken()]).toEqual([['freeze planned'], 0]);
    await restore(-1);
    await care.run();
    expect([await care.states(), await taken()]).toEqual([['freeze planned', 'vote sent'], 1]);
  });

  it('that has brought what no node can say stays unknown after a day, and no node is asked about it any more', async () => {
    node.answers = ({ route }) => (route === 'walletsolidity/gettransactioninfobyid' ? '{}' : undefined);
    await care.care();
    await care.run();
    await care.settle();
    for (const _ of [1, 2]) await care.later(6 * HOUR_MS);
    await care.run();
    await care.settle();
    await care.run();
    const claim = async () => (await care.operations()).find(({ kind }) => kind === 'claim')!;
    expect(await claim()).toMatchObject({ state: 'final', is_paid: false });
    await care.later(DAY_MS + HOUR_MS);
    await care.run();
    expect(await claim()).toMatchObject({
      is_paid: true,
      amount_sun: null,
      error: 'no node says what it has brought',
    });
    expect(await care.world.query('select 1 from stake_rewards')).toEqual([]);
  });
});
