import { ChainFaultRepository } from '../../../src/chain/verified-chain/faults/chain-fault.repository';
import { BlockClock } from '../../../src/chain/verified-chain/block-clock';
import { MovableClock } from '../../support/movable-clock';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const KINDS = ['branch_refused', 'block_unreadable'];

describe('a fault that a process has left behind', () => {
  const clock = new MovableClock();
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 200,
      backgroundWork: false,
      overrides: (builder) => builder.overrideProvider(BlockClock).useValue(clock),
    });
  });
  afterAll(() => world.close());

  const leave = (kind: string, age = '4 minutes') =>
    world.query(
      `insert into chain_faults (kind, parameters, last_seen_at) values ($1, '{}', now() - $2::interval) returning 1`,
      [kind, age],
    );
  const untilGone = () => until('it gone', async () => (await world.query('select 1 from chain_faults')).length === 0);

  it.each(KINDS)('%s: is gone once the next one finds it over', async (kind) => {
    await leave(kind);
    const next = await world.startInstance();
    await untilGone();
    await world.stopInstance(next);
  });

  it.each(KINDS)('%s: stays while somebody finds it', async (kind) => {
    await leave(kind, '2 minutes');
    const cleared = jest.spyOn(ChainFaultRepository.prototype, 'clearOld');
    const other = await world.startInstance();
    await until('it looked for', () => Promise.resolve(cleared.mock.calls.some(([of]) => of === kind)));
    await Promise.all(cleared.mock.results.map(({ value }) => value as Promise<void>));
    expect(await world.query('select kind from chain_faults')).toEqual([{ kind }]);
    await world.stopInstance(other);
    await world.query('delete from chain_faults returning 1');
    cleared.mockRestore();
  });

  it.each(KINDS)('%s: is gone within minutes when the others have been there all the time', async (kind) => {
    await leave(kind);
    const other = await world.startInstance();
    await untilGone();
    await leave(kind);
    clock.advance(60_000);
    await untilGone();
    await world.stopInstance(other);
  });
});
