import { Clock } from '../../../../src/common/clock';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { asksForHead, type BlockJson } from '../../../support/forged-blocks';
import { MovableClock } from '../../../support/movable-clock';
import { type NodeCall, NodeProxy } from '../../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

const isBroadcast = ({ route }: NodeCall) => route === 'wallet/broadcasttransaction';
const PAGE = '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>';
const BLOCK_MS = 300;
/** As 2.9 s are to a block of the network: a little less than the time-out of a call. */
const SLOW_MS = 290;
const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, SLOW_MS));
const JUMP = 40;
/** The block so far below. */
async function ofBefore(node: NodeProxy, { body }: NodeCall, answer: string): Promise<string> {
  const { number } = (JSON.parse(answer) as BlockJson).block_header.raw_data;
  const asked = JSON.stringify({ ...body, id_or_num: String(number - JUMP) });
  return (await fetch(`${node.target}/wallet/getblock`, { method: 'POST', body: asked })).text();
}

type Sickness = (first: NodeProxy) => void;
const SICKNESSES: [string, Sickness][] = [
  ['answers broadcasts with HTTP 500', (first) => (first.status = (call) => (isBroadcast(call) ? 500 : undefined))],
  ['answers broadcasts with a page', (first) => (first.answers = (call) => (isBroadcast(call) ? PAGE : undefined))],
  [
    'passes broadcasts on, and answers with a page',
    (first) => (first.after = (call, answer) => (isBroadcast(call) ? PAGE : answer)),
  ],
  ['answers each call as late as the next block comes', (first) => (first.before = slowly)],
  [
    `has jumped back by ${JUMP} blocks, and goes on from there`,
    (first) => (first.after = (call, answer) => (asksForHead(call) ? ofBefore(first, call, answer) : answer)),
  ],
];

describe('guarantee 1: a first node that', () => {
  const clock = new MovableClock();
  let world: OrderWorld;
  let caller: Caller;
  let first: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: BLOCK_MS,
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
      nodeUrl: async (url) => {
        first = new NodeProxy(url);
        return `${await first.open()},${url}`;
      },
    });
    caller = await world.caller();
  });
  afterAll(async () => {
    await world.close();
    await first.close();
  });

  const place = async (): Promise<Answer> =>
    world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
  const heal = () => {
    first.before = () => undefined;
    [first.status, first.answers] = [() => undefined, () => undefined];
    first.after = (_call, answer) => answer;
  };

  it.each(SICKNESSES)('%s: orders succeed, settle and are taken back', async (_, sicken) => {
    heal();
    const asked = first.calls.length;
    // One that was sick is asked after the other for a minute.
    await until('it in use', async () => {
      clock.advance(10_000);
      return (await place()) && first.calls.slice(asked).some(isBroadcast);
    });
    sicken(first);
    const answers: Answer[] = [];
    for (let order = 0; order < 3; order++) answers.push(await place());
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const { headers } of answers) await world.untilState(headers.get('x-delegation-id')!, 'delegated');
    await world.control('clock', { ms: 3_600_000 });
    for (const { headers } of answers) await world.untilState(headers.get('x-delegation-id')!, 'reclaimed');
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });
});

describe('guarantee 1: one gateway in front of two nodes, of which one stands still now and then,', () => {
  let world: OrderWorld;
  let caller: Caller;
  let gateway: NodeProxy;
  let lagging: string;
  let calls = 0;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: BLOCK_MS,
      nodeUrl: async (url) => {
        const answer = await fetch(`${url}/control/node`, { method: 'POST', body: '{}' });
        lagging = String(((await answer.json()) as Record<string, unknown>)['url']);
        gateway = new NodeProxy(url);
        gateway.before = () => void (gateway.target = calls++ % 3 === 0 ? lagging : url);
        return gateway.open();
      },
    });
    caller = await world.caller();
  });
  afterAll(async () => {
    await world.close();
    await gateway.close();
  });

  it('tells no success that does not come, and loses no order', async () => {
    const standStill = (what: object) =>
      fetch(`${lagging}/control/stand-still`, { method: 'POST', body: JSON.stringify(what) });
    const statuses: number[] = [];
    for (let round = 0; round < 2; round++) {
      await standStill({ head: true, solid: true });
      for (let order = 0; order < 3; order++) {
        const body = { receiver_address: await world.receiver(), amount: 1 };
        statuses.push((await world.delegate(caller, body)).status);
      }
      await standStill({});
    }
    expect(statuses).toContain(200);
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    await world.control('clock', { ms: 3_600_000 });
    await world.untilRow(`select 1 from delegations having count(*) filter (where state = 'delegated') = 0`);
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
    const broken = `select 1 from delegations where answer = 'success' and state not in ('reclaimed', 'reclaiming', 'delegated')`;
    expect(await world.query(broken)).toEqual([]);
  });
});
