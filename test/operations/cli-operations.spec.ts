import { CommandLine } from '../support/command-line';
import { OrderWorld } from '../support/order-world';

describe('the commands of operations', () => {
  let world: OrderWorld;
  let cli: CommandLine;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 300 });
    cli = CommandLine.on(world.database.url, { TRON_FULL_NODE_URLS: world.chain.url });
  });
  afterAll(() => world.close());

  it('orders:pause and orders:resume hold for a running instance at once', async () => {
    const caller = await world.caller({ balance: 10 });
    const body = { receiver_address: await world.receiver(), amount: 1 };
    expect(await cli.json('orders:pause', '--reason', 'test')).toMatchObject({ paused: true, reason: 'test' });
    expect((await world.delegate(caller, body)).headers.get('x-error-code')).toBe('PAUSED');
    expect(await cli.json('orders:resume')).toMatchObject({ paused: false });
    const answer = await world.delegate(caller, body);
    expect(answer.status).toBe(200);
    await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
  });

  it('pool:forecast tells what comes back when', async () => {
    type Row = { after: string; due_orders: number; returned_sun: string; least_sun: string; most_sun: string };
    const rows = await cli.json<Row[]>('pool:forecast');
    expect(rows.map(({ after }) => after)).toEqual(['0m', '10m', '30m', '60m', '180m', '360m', '720m', '1440m']);
    const day = rows.at(-1)!;
    expect(BigInt(day.most_sun)).toBeGreaterThanOrEqual(BigInt(day.least_sun));
    expect(BigInt(day.most_sun)).toBeGreaterThan(BigInt(rows[0]!.most_sun));
    expect(rows.map((row) => row.due_orders)).toEqual([0, 0, 0, 1, 1, 1, 1, 1]);
  });

  it('reconcile and finding:list agree', async () => {
    expect(await cli.json('reconcile')).toMatchObject({ ok: true, paused: [], mended: 0 });
    expect(await cli.json('finding:list')).toEqual([]);
  });
});
