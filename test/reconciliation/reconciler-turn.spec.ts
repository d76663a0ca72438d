import { BlockClock } from '../../src/chain/verified-chain/block-clock';
import { ReferenceBlocks } from '../../src/chain/verified-chain/reference-blocks';
import { JobRunRepository } from '../../src/reconciliation/job-run.repository';
import { ReconcilerSchedule } from '../../src/reconciliation/reconciler.schedule';
import { MovableClock } from '../support/movable-clock';
import { NodeProxy } from '../support/node-proxy';
import { OrderWorld } from '../support/order-world';
import { until } from '../support/until';

const EVERY_MS = 600_000;

describe('the turn of the reconciliation, which one instance does for all', () => {
  const clock = new MovableClock();
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 200,
      env: { RECONCILE_EVERY: '10m' },
      overrides: (builder) => builder.overrideProvider(BlockClock).useValue(clock),
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    await until('a chain', () => Promise.resolve(references().lastHead()));
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  afterEach(() => (proxy.before = () => undefined));

  const references = () => world.app.app.get(ReferenceBlocks);
  const reconcile = ({ app } = world.app) => app.get(ReconcilerSchedule).reconcile();
  const ran = (ago: string) =>
    world.query(
      `insert into job_runs (name, ran_at) values ('reconcile', now() - $1::interval)
       on conflict (name) do update set ran_at = excluded.ran_at`,
      [ago],
    );
  const dueInSeconds = async () =>
    Number(
      (
        await world.query(
          `select extract(epoch from ran_at + interval '10 minutes' - now()) as s from job_runs where name = 'reconcile'`,
        )
      )[0]!['s'],
    );

  async function untilNoChain(): Promise<void> {
    proxy.before = () => {
      throw new Error('away');
    };
    await until('a problem', () => {
      clock.advance(31_000);
      return Promise.resolve(references().problem());
    });
  }

  it("is any instance's again in a minute when a run has failed", async () => {
    // Its chain is followed all the while.
    proxy.before = ({ route }) => {
      if (route.startsWith('walletsolidity/')) throw new Error('away');
    };
    await ran('11 minutes');
    await reconcile();
    await until('given back', async () => (await dueInSeconds()) < 61);
    expect(await dueInSeconds()).toBeGreaterThan(0);
    expect(await world.query(`select 1 from reconcile_mark`)).toEqual([]);

    const other = await world.startInstance({ TRON_FULL_NODE_URLS: world.chain.url });
    await until('its chain', () => Promise.resolve(other.app.get(ReferenceBlocks).lastHead()));
    await until('reconciled', async () => {
      await ran('11 minutes');
      await reconcile(other);
      return (await world.query(`select succeeded_at from reconcile_mark`)).length === 1;
    });
    expect(await dueInSeconds()).toBeGreaterThan(540);
    await world.stopInstance(other);
  });

  it('is left to others by an instance that sees no chain', async () => {
    await untilNoChain();
    await ran('11 minutes');
    await reconcile();
    expect(await dueInSeconds()).toBeLessThan(0);
    proxy.before = () => undefined;
    await until('reconciled', async () => {
      await reconcile();
      return (await dueInSeconds()) > 540;
    });
  });

  it('is given back by no instance once another one has claimed the next', async () => {
    const runs = world.app.app.get(JobRunRepository);
    // Its own schedule claims nothing meanwhile.
    await untilNoChain();
    await ran('11 minutes');
    const claim = await runs.claim(EVERY_MS);
    await ran('11 minutes');
    const next = await runs.claim(EVERY_MS);
    await runs.giveBack(EVERY_MS, claim!, 0);
    expect(await dueInSeconds()).toBeGreaterThan(0);
    await runs.giveBack(EVERY_MS, next!, 0);
    expect(await dueInSeconds()).toBeLessThanOrEqual(0);
  });
});
