import { SlotLength } from '../../../../src/chain/verified-chain/slot-length';
import { VerifiedChain } from '../../../../src/chain/verified-chain/verified-chain';
import { ChainReads } from '../../../../src/chain/tron/node/chain-reads';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { NodeProxy } from '../../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

const BROADCAST = 'wallet/broadcasttransaction';
/** By the clock: what the guarantee allows. */
const HALF_A_MINUTE_MS = 30_000;

type StandStill = Partial<Record<'head' | 'solid' | 'broadcasts', boolean>>;

describe('guarantee 1: a first node that stands still', () => {
  let world: OrderWorld;
  let caller: Caller;
  let first: NodeProxy;
  let own: string;
  afterEach(async () => {
    await world.close();
    await first.close();
  });

  /** The first node is one of its own of the same chain; with `second`, the chain's own node is beside it. */
  async function open(second: boolean): Promise<void> {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 300,
      env: { DELEGATION_ANSWER: 'included', ANSWER_TIMEOUT: '6s' },
      // A round of the witnesses lasts longer here than a node may show no new block, as it does on mainnet.
      overrides: (builder) => builder.overrideProvider(SlotLength).useValue({ ofMs: () => 60_000 }),
      nodeUrl: async (url) => {
        own = String((await post(`${url}/control/node`, {}))['url']);
        first = new NodeProxy(own);
        const opened = await first.open();
        return second ? `${opened},${url}` : opened;
      },
    });
    caller = await world.caller();
  }
  const standStill = (what: StandStill) => post(`${own}/control/stand-still`, what);
  const place = async (): Promise<Answer> =>
    world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });

  async function post(url: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  }

  it.each<[string, StandStill]>([
    ['head and solid view, swallowing broadcasts', { head: true, solid: true, broadcasts: true }],
    ['head, swallowing broadcasts', { head: true, broadcasts: true }],
    ['solid view', { solid: true }],
    ['solid view, swallowing broadcasts', { solid: true, broadcasts: true }],
    ['nothing, swallowing broadcasts', { broadcasts: true }],
  ])('%s: orders succeed over the second, all settle and are taken back', async (_, what) => {
    await open(true);
    await until('an order over the first', async () => (await place()).status === 200 && first.count(BROADCAST) > 0);
    await standStill(what);
    const sinceMs = performance.now();
    const answers: Answer[] = [];
    // Without a pause: those of the first moments may fail, and none may be told a success that does not come.
    // Each waits for half of its time while the node that shows every block is the first one to get it.
    const orders = what.broadcasts && !what.head ? 2 : 5;
    while (answers.filter(({ status }) => status === 200).length < orders) {
      answers.push(await place());
      expect(performance.now() - sinceMs).toBeLessThan(HALF_A_MINUTE_MS);
    }
    const broadcasts = first.count(BROADCAST);
    for (let more = 0; more < orders; more++) {
      const { status, headers } = await place();
      expect([status, headers.get('x-delegation-state')]).toEqual([200, 'included']);
    }
    if (what.broadcasts && what.head) expect(first.count(BROADCAST)).toBe(broadcasts);
    // Also those that the first node took and dropped: their bytes are sent again, over the second.
    for (const { status, headers } of answers) {
      if (status === 200) await world.untilState(headers.get('x-delegation-id')!, 'delegated');
    }
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    await world.control('clock', { ms: 3_600_000 });
    await world.untilRow(`select 1 from delegations having count(*) filter (where state = 'delegated') = 0`);
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('and is used again once it goes on', async () => {
    await open(true);
    await standStill({ head: true });
    async function isAsked(): Promise<boolean> {
      first.calls.length = 0;
      await place();
      return first.count('wallet/getaccount') > 0;
    }
    await until('it left alone', async () => !(await isAsked()));
    await standStill({});
    await until('it used again', isAsked);
  });

  it('alone: readiness says so within a minute, no order is held, and nothing is concluded', async () => {
    await open(false);
    const lent = (await place()).headers.get('x-delegation-id')!;
    await world.untilState(lent, 'delegated');
    await standStill({ head: true, solid: true, broadcasts: true });
    const under = place();
    const ready = async () => (await (await fetch(`${world.app.url}/health/ready`)).json()) as Record<string, unknown>;
    await until('not ready', async () => (await ready())['status'] === 'unavailable');
    expect((await ready())['reason']).toContain('no new verified block');
    await under;
    const before = await world.query(`select count(*) as n from delegations`);
    const refused = await place();
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([500, 'NODE_UNAVAILABLE']);
    expect(await world.query(`select count(*) as n from delegations`)).toEqual(before);
    // Its hour passes, and so does the expiration of the order that the node has swallowed.
    await world.control('clock', { ms: 3_700_000 });
    await expect(world.sweepOnce()).rejects.toMatchObject({ code: 'NODE_UNAVAILABLE' });
    expect(
      await world.query(`select state from chain_transactions where state not in ('final', 'saved', 'sent')`),
    ).toEqual([]);
    expect(await world.show(lent)).toMatchObject({ state: 'delegated' });

    await standStill({});
    await until('ready again', async () => (await ready())['status'] === 'ok');
    await world.untilState(lent, 'reclaimed');
    await untilSettled(world.app.sql);
  });

  it('is not what a process that has just started goes by: it compares the nodes first', async () => {
    await open(true);
    await standStill({ head: true, solid: true, broadcasts: true });
    await world.control('block', { count: 40 });
    await world.control('clock', { ms: 60_000 });
    await world.control('block', { count: 3 });
    const fresh = await world.startInstance({}, false);
    first.calls.length = 0;
    // What the first one does not know: this account is newer.
    expect(await fresh.app.get(ChainReads).receiverState(await world.receiver())).toBe('active');
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 }, {}, fresh);
    expect(first.count(BROADCAST)).toBe(0);
    expect(fresh.app.get(VerifiedChain).headers!.head.number).toBeGreaterThan(40);
    await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated', 'taken_back', 'taking_back');
  });
});
