import { ChainAdminService } from '../../src/admin/chain-admin.service';
import { Clock } from '../../src/common/clock';
import { MovableClock } from '../support/movable-clock';
import { NodeProxy } from '../support/node-proxy';
import { until } from '../support/until';
import { ANN, CareWorld } from './care-world';

const QUARTER_HOUR_MS = 15 * 60_000;

describe('a vote that never lands, and that a block could have which cannot be proved', () => {
  let care: CareWorld;
  let nodes: NodeProxy[];
  const clock = new MovableClock();
  beforeAll(async () => {
    care = await CareWorld.open({
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
      nodeUrl: async (url) => {
        nodes = [new NodeProxy(url), new NodeProxy(url)];
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
    });
    await care.world.untilWalletsRead();
  });
  afterAll(async () => {
    await care.world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });

  const accepted = () => care.world.query('select number::int, accepted_by from accepted_blocks');
  const states = async () => (await care.states()).join();

  it('waits for an operator, who accepts what all nodes list, and frees the way for the next vote', async () => {
    const { world } = care;
    await world.control('fault', {
      route: 'wallet/broadcasttransaction',
      kind: 'accept-then-drop',
      count: 1_000,
    });
    await care.care();
    await care.run();
    expect(await states()).toBe('vote sent');
    await world.control('transaction', { hidden_field: true });
    const { head } = (await world.control('block')) as { head: { number: number } };
    await care.later(QUARTER_HOUR_MS + 60_000);
    const goesOn = async () => {
      clock.advance(10_000);
      await care.blocks(1);
    };
    await until('the block accepted', async () => {
      await goesOn();
      return (await accepted()).length > 0;
    });
    await care.later(60_000);
    expect(await accepted()).toEqual([{ number: head.number, accepted_by: 'nodes' }]);
    expect(await states()).toBe('vote sent');
    await world.app.app.get(ChainAdminService).acceptBlock(head.number, ANN);
    await until('the vote over', async () => {
      await goesOn();
      return (await states()) === 'vote failed';
    });
  });
});
