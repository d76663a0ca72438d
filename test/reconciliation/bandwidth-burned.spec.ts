import { SchedulerRegistry } from '@nestjs/schedule';
import { FindingRepository } from '../../src/findings/finding.repository';
import { FindTroubles } from '../../src/notices/find-troubles';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { ReadBurnedFees } from '../../src/reporting/burned-bandwidth/read-burned-fees';
import { OrderWorld } from '../support/order-world';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser } from '../support/panel-user';
import { stopReconcilerTurns } from '../support/scheduled-turns';

describe("bandwidth that takes more than 5 % of a week's revenue", () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ bandwidthStakeTrx: 0, env: { RECLAIM_DELAY: '1s' } });
    await stopReconcilerTurns(world.app.app);
    await world.app.app.get(SchedulerRegistry).getCronJob('burned-bandwidth').stop();
  });
  afterAll(() => world.close());

  async function order(amount: number) {
    const caller = await world.caller({ balance: 1_000 });
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount });
    await world.untilReclaimed(answer.headers.get('x-delegation-id')!);
    await world.query(`update chain_transactions set created_at = created_at - interval '4 minutes' returning id`);
    await world.app.app.get(ReadBurnedFees).run();
  }
  const burnedTrx = async () => {
    const { burnTrxAmount } = await world.node('wallet/getburntrx');
    return String(Number(burnTrxAmount) / 1e6);
  };
  const burnedAlarms = async () =>
    (await world.app.app.get(Reconciler).run()).alarms.filter(({ kind }) => kind === 'bandwidth_burned');
  const open = async () =>
    (await world.app.app.get(FindingRepository).page(false, 100, null)).find(({ kind }) => kind === 'bandwidth_burned');

  it('is a finding where orders brought nothing at all', async () => {
    await world.query(
      `insert into burned_days (day, wallet_id, transactions, burning, burned_sun, unread)
       select (now() at time zone 'utc')::date, id, 1, 1, 274000, 0 from pool_wallets where name = 'pool' returning 1`,
    );
    const [alarm] = await burnedAlarms();
    expect(alarm!.parameters).toEqual({ burned_sun: '274000', brought_sun: '0', percent: '' });
    expect((await open())!.reason).toContain(
      '0.274 TRX were burned for bandwidth in the last week: orders brought nothing',
    );
    await world.query('delete from burned_days returning 1');
    expect(await burnedAlarms()).toEqual([]);
  });

  it('is a finding with a notice, is a cost on Business, and goes when the share is down', async () => {
    await order(1);
    // The network gives two transactions a day for nothing.
    expect(await burnedAlarms()).toEqual([]);
    await order(1);
    const [alarm] = await burnedAlarms();
    expect(alarm!.parameters).toMatchObject({ brought_sun: '6000000', percent: '9.3' });
    const burned = await burnedTrx();
    expect((await open())!.reason).toBe(
      `nodes report that ${burned} TRX were burned for bandwidth in the last week: 9.3 % of the 6 TRX that orders brought`,
    );
    const troubles = await world.app.app.get(FindTroubles).ofService();
    const trouble = troubles.find(({ thing }) => thing.startsWith('bandwidth_burned'))!;
    expect(trouble.text.en).toContain('stake:plan');
    expect(trouble.text.zh).toContain(`${burned} TRX`);

    const operator = await insertPanelUser(world.app, { operator: true });
    const client = new PanelClient(world.app.url);
    await client.signIn(operator.email, operator.password);
    const { text } = await client.get('/panel/operator/business');
    const row = /Burned for bandwidth, as reported by nodes.*?<\/tr>/s.exec(text)![0];
    expect(
      row
        .replaceAll(/<[^>]*>/g, ' ')
        .trim()
        .split(/\s+/)
        .slice(-5),
    ).toEqual(['by', 'nodes', '4', '–', Number(burned).toFixed(6)]);

    await order(10);
    // 30 TRX more came in, and two transactions more were burned.
    expect(await burnedAlarms()).toEqual([]);
    expect(await open()).toBeUndefined();
  });
});
