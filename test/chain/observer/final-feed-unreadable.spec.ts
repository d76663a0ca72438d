import { Logger } from '@nestjs/common';
import { BlockSubscribers, type FollowedFinal } from '../../../src/chain/observer/block-subscribers';
import { FinalFeed } from '../../../src/chain/observer/final-feed';
import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { asksForBlocks, editBlocks, STRANGER_ID } from '../../support/forged-blocks';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const NAME = 'reader';

describe('a subscriber of final blocks, at a block whose transactions no node shows as its root has them,', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let unreadable: number | null = null;
  let given: FollowedFinal[] = [];
  let whenGiven: () => unknown = () => undefined;
  let errors: jest.SpyInstance;
  beforeAll(async () => {
    errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    world = await OrderWorld.open({
      block: 'manual',
      solidLag: 4,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    proxy.after = (call, answer) =>
      asksForBlocks(call)
        ? editBlocks(answer, (block) =>
            block.block_header.raw_data.number === unreadable
              ? { ...block, transactions: [{ txID: STRANGER_ID, raw_data_hex: '0a02abcd' }] }
              : block,
          )
        : answer;
    await world.control('block', { count: 6 });
    subscribe(world.app);
    await mine(1);
    await until('its beginning', async () => (await place()) >= 0);
  });
  afterAll(async () => {
    errors.mockRestore();
    await world.close();
    await proxy.close();
  });
  beforeEach(() => {
    given = [];
    errors.mockClear();
  });

  const subscribe = ({ app }: TestApp) =>
    app.get(BlockSubscribers).add({
      name: NAME,
      wantsBodies: () => true,
      onFinal: async (block) => {
        given.push(block);
        whenGiven();
      },
    });
  const finalOf = ({ app }: TestApp) => app.get(VerifiedChain).headers!.final!.number;
  const place = async () =>
    Number(
      (await world.query('select number from followed_blocks where subscriber = $1', [NAME]))[0]?.['number'] ?? -1,
    );
  async function mine(count: number): Promise<void> {
    const before = finalOf(world.app);
    await world.control('block', { count });
    await until('new final blocks', async () => finalOf(world.app) >= before + count);
  }
  const untilSaid = () =>
    until('that said', async () =>
      errors.mock.calls.some(([, what]) => String(what).startsWith(`${NAME} was not given`)),
    );
  const untilAll = () => until('all given', async () => (await place()) === finalOf(world.app));

  it('waits there, and goes on once a node shows them', async () => {
    unreadable = finalOf(world.app) + 2;
    await mine(3);
    await untilSaid();
    expect(await place()).toBe(unreadable - 1);
    unreadable = null;
    await mine(1);
    await untilAll();
    expect(given.every(({ isUnproved, transactions }) => !isUnproved && transactions !== null)).toBe(true);
  });

  it('is given it without them, and told so, once the block is accepted without proof', async () => {
    const number = (unreadable = finalOf(world.app) + 2);
    await mine(3);
    await untilSaid();
    const { blockID: id } = await world.node('wallet/getblockbynum', { num: number });
    await world.query(
      `insert into accepted_blocks (number, id, digest, accepted_by) values ($1, $2, '', 'operator') returning 1`,
      [number, id],
    );
    await mine(1);
    await untilAll();
    const unproved = given.filter(({ isUnproved }) => isUnproved);
    expect(unproved).toMatchObject([{ number, id, transactions: null }]);
    unreadable = null;
  });

  it('is given no more while nothing may be concluded, though it was given blocks just now', async () => {
    const chain = world.app.app.get(VerifiedChain);
    let problem: jest.SpyInstance | null = null;
    whenGiven = () =>
      (problem ??= jest.spyOn(chain, 'problem', 'get').mockReturnValue('a branch undoes a final block'));
    const before = finalOf(world.app);
    await world.control('block', { count: 4 });
    await until('one given', async () => problem !== null);
    await world.app.app.get(FinalFeed).ended();
    expect(given).toHaveLength(1);
    whenGiven = () => undefined;
    problem!.mockRestore();
    await until('new final blocks', async () => finalOf(world.app) >= before + 4);
    await untilAll();
    expect(given.length).toBeGreaterThanOrEqual(4);
  });

  it('goes on after a pause too, though a node did not show them for a moment', async () => {
    const idle = await world.startInstance({}, false);
    await world.stopInstance(world.app);
    unreadable = (await place()) + 5;
    await world.control('block', { count: 90 });
    const again = await world.startInstance();
    await world.stopInstance(idle);
    await until('a chain', async () => again.app.get(VerifiedChain).headers?.final);
    expect(again.app.get(VerifiedChain).headers!.floor).toBeGreaterThan(unreadable);
    subscribe(again);
    await mine(1);
    await untilSaid();
    unreadable = null;
    await mine(1);
    await untilAll();
    expect(given.map(({ number }) => number)).toEqual(given.map((_, at) => given[0]!.number + at));
  });
});
