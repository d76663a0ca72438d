import { ChainAdminService } from '../../../src/admin/chain-admin.service';
import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { WitnessSetRepository } from '../../../src/chain/verified-chain/witnesses/witness-set.repository';
import { asksForHead, witnessOf } from '../../support/forged-blocks';
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
    until('the chain followed', () => Promise.resolve(app.app.get(VerifiedChain).problem === null));
  async function makeMoreThanSearched(): Promise<void> {
    for (let made = 0; made <= SEARCHED + 100; made += 200) await world.control('block', { count: 200 });
  }

  it('goes on by itself when eight have taken other keys meanwhile, and the chain proves them', async () => {
    await world.control('witnesses', { rotate_keys: 8 });
    await makeMoreThanSearched();
    const app = await world.startInstance();
    await follows(app);
    await until('all proved', async () => {
      await world.control('block');
      const { witnesses } = (await app.app.get(WitnessSetRepository).find())!;
      const active = (await world.control('witnesses'))['witnesses'] as { signing_address: string }[];
      return active.every(({ signing_address: key }) =>
        witnesses.some(({ signing_address }) => signing_address === key),
      );
    });
    await world.stopInstance(app);
  });

  it('takes no other keys by a node’s word: eight of 27 and two that are silent are for an operator, by the digest of what is offered', async () => {
    await world.control('witnesses', { rotate_keys: 8, silent: 2 });
    await makeMoreThanSearched();
    const app = await world.startInstance();
    const witnesses = app.app.get(WitnessSetRepository);
    const offered = await until('what the node names shown', async () => (await witnesses.find())!.digest);
    expect(app.app.get(VerifiedChain).problem).toContain('too few known witnesses');
    const kinds = await world.query(`select kind, parameters from chain_faults`);
    expect(kinds).toEqual([{ kind: 'witnesses_changed', parameters: { changed: '8', active: '27' } }]);
    const operator = { id: null, address: '127.0.0.1' };
    const admin = app.app.get(ChainAdminService);
    await expect(admin.acceptWitnesses('0'.repeat(32), operator)).rejects.toMatchObject({
      code: 'witnesses.other-offered',
      parameters: { digest: offered },
    });
    const { witnesses: accepted } = await admin.acceptWitnesses(offered, operator);
    expect(accepted.filter(({ address }) => ROTATED.has(address))).toHaveLength(8);
    await follows(app);
    expect(await world.query(`select kind from chain_faults`)).toEqual([]);
    await expect(admin.acceptWitnesses(offered, operator)).rejects.toMatchObject({ code: 'witnesses.none-offered' });
    await world.stopInstance(app);
  });

  it('searches through as many headers again after a pause that grows, and follows once enough sign', async () => {
    await world.control('witnesses', { silent: 9 });
    await makeMoreThanSearched();
    proxy.calls.length = 0;
    const app = await world.startInstance();
    await until('six questions', () => Promise.resolve(proxy.calls.filter(asksForHead).length >= 6));
    const headers = proxy.calls.filter(({ body }) => body['id_or_num'] !== undefined).length;
    expect(headers).toBeGreaterThan(SEARCHED);
    expect(headers).toBeLessThan(3.5 * SEARCHED);
    expect(app.app.get(VerifiedChain).problem).toContain('too few known witnesses');
    await world.control('witnesses', { silent: 0 });
    await world.control('block', { count: 60 });
    await follows(app);
    await world.stopInstance(app);
  });
});
