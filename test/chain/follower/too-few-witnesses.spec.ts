import { VerifiedChain } from '../../../src/chain/follower/verified-chain';
import { asksForHead, type BlockJson, witnessOf } from '../../support/forged-blocks';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

/** Headers that are looked through from the head down. */
const SEARCHED = 1_000;
const ROTATED = new Set([1, 2, 3, 4, 5, 6, 7, 8].map((n) => witnessOf(n).address.toString('hex')));

describe('a start below whose head too few known witnesses have signed', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      witnesses: 27,
      backgroundWork: false,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    await world.control('block', { count: 60 });
    const first = await world.startInstance();
    await follows(first);
    await world.stopInstance(first);
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  const follows = (app: TestApp) =>
    until('the chain followed', () => Promise.resolve(app.app.get(VerifiedChain).problem === null), 60_000);
  async function makeMoreThanSearched(): Promise<void> {
    for (let made = 0; made <= SEARCHED + 100; made += 200) await world.control('block', { count: 200 });
  }

  it('reads the witnesses again: eight may have taken other keys, and the head be signed by another', async () => {
    await world.control('witnesses', { rotate_keys: 8, silent: 2 });
    await makeMoreThanSearched();
    await until('a head signed with a known key', async () => {
      await world.control('block');
      const head = (await world.node('wallet/getblock')) as unknown as BlockJson;
      return !ROTATED.has(String(head.block_header.raw_data['witness_address']));
    });
    const app = await world.startInstance();
    await follows(app);
    await world.stopInstance(app);
  });

  it('searches through as many headers again after a pause that grows, and follows once enough sign', async () => {
    await world.control('witnesses', { silent: 9 });
    await makeMoreThanSearched();
    proxy.calls.length = 0;
    const app = await world.startInstance();
    await until('six questions', () => Promise.resolve(proxy.calls.filter(asksForHead).length >= 6), 60_000);
    const headers = proxy.calls.filter(({ body }) => body['id_or_num'] !== undefined).length;
    expect(headers).toBeGreaterThan(SEARCHED);
    expect(headers).toBeLessThan(3.5 * SEARCHED);
    expect(app.app.get(VerifiedChain).problem).toContain('too few known witnesses');
    await world.control('witnesses', { silent: 0 });
    await world.control('block', { count: 60 });
    await follows(app);
    await world.stopInstance(app);
  }, 150_000);
});
