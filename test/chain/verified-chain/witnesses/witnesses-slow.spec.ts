import { Logger } from '@nestjs/common';
import { VerifiedChain } from '../../../../src/chain/verified-chain/verified-chain';
import { WitnessSetRepository } from '../../../../src/chain/verified-chain/witnesses/witness-set.repository';
import { Clock } from '../../../../src/common/clock';
import { MovableClock } from '../../../support/movable-clock';
import { NodeProxy } from '../../../support/node-proxy';
import { OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

describe('witnesses that a slow node names', () => {
  const clock = new MovableClock();
  let world: OrderWorld;
  let node: NodeProxy;
  let warn: jest.SpyInstance;
  beforeAll(async () => {
    warn = jest.spyOn(Logger.prototype, 'warn');
    world = await OrderWorld.open({
      block: 200,
      witnesses: 27,
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
      nodeUrl: (url) => (node = new NodeProxy(url)).open(),
    });
    await until('a final block', () => Promise.resolve((chain().headers?.final?.number ?? 0) > 0));
  });
  afterAll(async () => {
    warn.mockRestore();
    await world.close();
    await node.close();
  });
  afterEach(() => (node.before = () => undefined));

  const chain = () => world.app.app.get(VerifiedChain);
  const stored = async () => (await world.app.app.get(WitnessSetRepository).find())!;
  const headNumber = () => chain().headers?.head.number ?? 0;

  it('hold up no block: each answer comes only after further blocks were followed', async () => {
    const { witnesses, valid_until_ms: before } = await stored();
    const addresses = new Set<unknown>(witnesses.map(({ address }) => address));
    node.before = async ({ route, body }) => {
      if (route !== 'wallet/listwitnesses' && !addresses.has(body['address'])) return;
      const number = headNumber();
      await until('a further block', () => Promise.resolve(headNumber() > number));
    };
    await world.control('clock', { ms: 6 * 3_600_000 });
    await until('the next period known', async () => {
      clock.advance(16_000);
      return (await stored()).valid_until_ms > before;
    });
  });

  it('are asked for once at a time, and a failure is told once', async () => {
    let underWay = 0;
    let most = 0;
    node.before = async ({ route }) => {
      if (route !== 'wallet/listwitnesses') return;
      most = Math.max(most, ++underWay);
      const number = headNumber();
      await until('three further blocks', () => Promise.resolve(headNumber() > number + 2));
      underWay--;
      throw new Error('away');
    };
    const told = () => warn.mock.calls.filter(([text]) => String(text).includes('witnesses could not be read')).length;
    const [readings, failures] = [node.count('wallet/listwitnesses'), told()];
    await world.control('clock', { ms: 6 * 3_600_000 });
    await until('three readings', () => {
      clock.advance(16_000);
      return Promise.resolve(told() - failures >= 3);
    });
    expect(most).toBe(1);
    // One may be under way again.
    expect(node.count('wallet/listwitnesses') - readings - (told() - failures)).toBeLessThanOrEqual(1);
  });
});
