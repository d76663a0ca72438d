import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { showsBlock } from '../../support/forged-blocks';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

describe('two blocks for which the only node never answers', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 'manual',
      // Less than a node is given to show several blocks.
      env: { ANSWER_TIMEOUT: '14s' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    await world.control('block', { count: 12 });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  it('keep no order of a later block from its answer, nor from being settled', async () => {
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let held = false;
    proxy.before = async ({ route }) => {
      if (route !== 'wallet/broadcasttransaction') return;
      held = true;
      await released;
    };
    const answer = world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 });
    await until('the bytes on their way', () => Promise.resolve(held));
    const hung: number[] = [];
    const { block_header: head } = (await world.node('wallet/getblock')) as {
      block_header: { raw_data: { number: number } };
    };
    const { number } = head.raw_data;
    proxy.after = (call, text) => {
      if (![number + 1, number + 2].some((silent) => showsBlock(call, text, silent))) return text;
      hung.push(Number(call.body['num'] ?? 0));
      return new Promise<string>(() => undefined);
    };
    await world.control('block', { count: 2 });
    await until('it was asked for', () => Promise.resolve(hung.length > 0));
    release();
    await world.untilRow(`select 1 from chain_transactions where state = 'sent'`);
    await world.control('block');
    expect((await answer).headers.get('x-delegation-state')).toBe('included');
    await world.control('block', { count: 10 });
    await until('settled', async () => {
      await world.control('block');
      return (await world.query(`select 1 from delegations where state <> 'included'`)).length > 0;
    });
    // One by one.
    await until('both asked for again', () =>
      Promise.resolve([number + 1, number + 2].every((of) => hung.includes(of))),
    );
    proxy.after = (_call, text) => text;
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });
});
