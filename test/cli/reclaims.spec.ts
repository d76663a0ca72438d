import { OrderWorld } from '../support/order-world';
import { SharedCommandLine } from '../support/shared-command-line';

const LENT = 'walletsolidity/getdelegatedresourcev2';

describe('reclaim:run', () => {
  let world: OrderWorld;
  let cli: SharedCommandLine;
  beforeAll(async () => {
    // The service sweeps once an hour: the command takes back first.
    world = await OrderWorld.open({ env: { RECLAIM_SWEEP: '1h' } });
    cli = SharedCommandLine.on(world.database.url, { TRON_FULL_NODE_URLS: world.chain.url });
  });
  afterAll(() => Promise.all([cli.close(), world.close()]));

  it('exits with 1 when a reclaim has failed in it, and with 0 once all that is due is on its way', async () => {
    const caller = await world.caller();
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const id = answer.headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    await world.query(
      `update delegations set stake_missing = true, last_error = 'the delegation is not there in full',
              reclaim_due_at = now() - interval '1 day' where id = $1 returning 1`,
      [id],
    );
    await world.control('fault', { route: LENT, kind: '503', count: 1_000 });
    const failed = await cli.run('reclaim:run', '--json');
    expect([failed.exitCode, JSON.parse(failed.stdout)]).toEqual([1, { due: 1, sent: 0, failed: 1 }]);

    await world.control('fault', { route: LENT, kind: 'none' });
    await world.query('update delegations set next_attempt_at = null where id = $1 returning 1', [id]);
    const sent = await cli.run('reclaim:run', '--json');
    expect([sent.exitCode, JSON.parse(sent.stdout)]).toEqual([0, { due: 1, sent: 1, failed: 0 }]);
    await world.untilState(id, 'reclaimed');
    const nothing = await cli.run('reclaim:run', '--json');
    expect([nothing.exitCode, JSON.parse(nothing.stdout)]).toEqual([0, { due: 0, sent: 0, failed: 0 }]);
  });
});
