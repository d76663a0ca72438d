import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const HOUR_MS = 3_600_000;

describe.each(['signatures', 'nodes'])('a network whose final block is far behind its head, by %s', (proof) => {
  let world: OrderWorld;
  afterEach(() => world.close());

  const chain = () => world.app.app.get(VerifiedChain);
  const seen = () => until('the head seen', async () => chain().headers?.head.number === (await height()));
  const height = async () => {
    const { block_header: header } = (await world.node('wallet/getblock')) as {
      block_header: { raw_data: { number: number } };
    };
    return header.raw_data.number;
  };
  async function make(count: number, intervalMs: number): Promise<void> {
    const { block_header: header } = (await world.node('wallet/getblock')) as {
      block_header: { raw_data: { timestamp: number } };
    };
    for (let n = 1; n <= count; n++)
      await world.control('block', { timestamp: header.raw_data.timestamp + n * intervalMs });
    await seen();
  }
  async function open(): Promise<void> {
    world = await OrderWorld.open({
      block: 'manual',
      witnesses: 27,
      env: { CHAIN_PROOF: proof, RECLAIM_SWEEP: '300ms' },
    });
    await world.control('block', { count: 40 });
    await seen();
    await world.untilWalletsRead();
  }
  /** With the block that has it. */
  async function lend(intervalMs: number): Promise<string> {
    const answer = world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 });
    await world.untilRow(`select 1 from chain_transactions where state = 'sent' and purpose = 'delegation'`);
    await make(1, intervalMs);
    const { status, headers } = await answer;
    expect(status).toBe(200);
    return headers.get('x-delegation-id')!;
  }

  it('lends and takes back where 27 witnesses make a block in ten seconds', async () => {
    await open();
    await make(60, 10_000);
    const { head, final } = chain().headers!;
    expect(head.timeMs - final!.timeMs).toBeGreaterThan(180_000);
    const id = await lend(10_000);
    await make(40, 10_000);
    await world.control('clock', { ms: HOUR_MS });
    await world.control('block', { count: 10 });
    await world.untilRow(`select 1 from chain_transactions where state = 'sent' and purpose = 'reclaim'`);
    await world.control('block', { count: 40 });
    await world.untilState(id, 'reclaimed');
  });

  it('an hour ahead at once, refuses orders before anything is held, takes them from the second block on, and takes back from the ninth', async () => {
    await open();
    const id = await lend(3_000);
    await world.control('block', { count: 40 });
    await world.untilState(id, 'delegated');
    await world.control('clock', { ms: HOUR_MS });
    await world.control('block', { count: 1 });
    await seen();
    const order = { receiver_address: await world.receiver(), amount: 1 };
    const refused = await world.delegate(await world.caller(), order);
    expect(refused.headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
    expect(await world.query(`select id from delegations`)).toEqual([{ id }]);
    await world.control('block', { count: 1 });
    await seen();
    await lend(3_000);
    await make(5, 3_000);
    expect(await world.query(`select 1 from chain_transactions where purpose = 'reclaim'`)).toEqual([]);
    await make(1, 3_000);
    await world.untilRow(`select 1 from chain_transactions where state = 'sent' and purpose = 'reclaim'`);
    await world.control('block', { count: 40 });
    await world.untilState(id, 'reclaimed');
  });
});

describe('the local chain’s clock moved by an hour', () => {
  it('has orders taken and reclaims land within some blocks', async () => {
    const world = await OrderWorld.open({ block: 3_000, witnesses: 27, time: 'virtual' });
    const caller = await world.caller();
    const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const id = (await place()).headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    const head = () => world.app.app.get(VerifiedChain).headers!.head;
    const before = head();
    await world.control('clock', { ms: HOUR_MS });
    await until('the hour seen', () => Promise.resolve(head().timeMs - before.timeMs > HOUR_MS / 2));
    await until('an order taken', async () => {
      const { status, headers } = await place();
      if (status !== 200) expect(headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
      return status === 200;
    });
    expect(head().number - before.number).toBeLessThan(20);
    await world.untilState(id, 'reclaimed');
    await world.close();
  });
});
