import { BlockBodies } from '../../../src/chain/verified-chain/block-bodies';
import { FinalBlocks } from '../../../src/chain/observer/final-blocks';
import { TransactionOutcomes } from '../../../src/chain/observer/transaction-outcomes';
import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const BROADCAST = 'wallet/broadcasttransaction';

describe('the follower', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 'manual', env: { DELEGATION_ANSWER: 'accepted' } });
    await world.control('block', { count: 10 });
    await until('the chain is followed', () => Promise.resolve((chain()?.final?.number ?? 0) > 0));
  });
  afterAll(() => world.close());
  const chain = () => world.app.app.get(VerifiedChain).headers;

  it('ends no turn before a death that it has found is recorded', async () => {
    const caller = await world.caller();
    await until('an order', async () => {
      await world.tryToReadWallets();
      return (await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 })).status === 200;
    });
    await world.control('block', { count: 8 });
    await world.control('fault', { route: BROADCAST, kind: 'accept-then-drop', count: 1_000 });
    const { headers } = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const finals = world.app.app.get(FinalBlocks);
    const outcomes = world.app.app.get(TransactionOutcomes);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const [advance, dead] = [finals.advance.bind(finals), outcomes.dead.bind(outcomes)];
    let turns = 0;
    jest.spyOn(finals, 'advance').mockImplementation((...given) => {
      turns++;
      return advance(...given).finally(() => turns--);
    });
    const died = jest.spyOn(outcomes, 'dead').mockImplementation(async (...given) => {
      await released;
      return dead(...given);
    });
    await world.control('clock', { ms: 300_000 });
    await world.control('block', { count: 8 });
    await until('it is found dead', () => Promise.resolve(died.mock.calls.length > 0));
    // A turn asks the database a few questions after it.
    for (let asked = 0; asked < 50 && turns > 0; asked++) await world.query('select 1 as one');
    expect(turns).toBe(1);
    release();
    await world.untilState(headers.get('x-delegation-id')!, 'failed');
  });

  it('forgets the bodies of blocks that are far below the final one', async () => {
    const header = chain()!.final!;
    const bodies = world.app.app.get(BlockBodies);
    await until('its body is known', () => Promise.resolve(bodies.of(header) !== undefined));
    await until('the chain is far above it', async () => {
      await world.control('block', { count: 10 });
      return chain()!.floor > header.number;
    });
    await until('it is forgotten', () => Promise.resolve(bodies.of(header) === undefined));
  });
});
