import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

/** Headers that are looked through from the head down. */
const SEARCHED = 1_000;
/** More than are followed one by one. */
const PAUSE = 150;

describe('a chain on which no block has become final for longer than headers are looked through', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      witnesses: 27,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    await world.control('block', { count: 60 });
    await follows(60);
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  const chain = () => world.app.app.get(VerifiedChain);
  const follows = (number: number) =>
    until(`block ${number} followed`, () => Promise.resolve((chain().headers?.head.number ?? 0) >= number));
  const pause = async () => {
    const { head } = (await world.control('block', { count: PAUSE })) as { head: { number: number } };
    await follows(head.number);
  };

  it('is gone on with after each pause of the process, and final again once the others are back', async () => {
    await world.control('witnesses', { silent: 9 });
    await pause();
    const final = chain().headers!.final!;
    for (let made = 0; made <= SEARCHED + PAUSE; made += PAUSE) await pause();
    expect(chain().headers!.final).toEqual(final);
    expect(chain().headers!.holds(final.number, final.id)).toBe(true);
    proxy.calls.length = 0;
    await pause();
    // Only what is new.
    expect(proxy.calls.filter(({ body }) => body['id_or_num'] !== undefined).length).toBeLessThan(2 * PAUSE);
    await world.control('witnesses', { silent: 0 });
    await pause();
    await world.control('block', { count: 30 });
    await until('final again', () => Promise.resolve(chain().headers!.final!.number > final.number + SEARCHED));
    expect(chain().headers!.head.number).toBeGreaterThan(SEARCHED);
  });
});
