import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { FinalityWatch } from '../../../src/chain/verified-chain/finality-watch';
import { expectChainTruth } from '../../support/chain-truth';
import { NodeProxy } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

/** Finality needs 19 of 27: these make blocks, and none of them can become final. */
const ALIVE = 9;
const SILENT = 27 - ALIVE;

describe.each([['one node'], ['one node, which is believed'], ['two nodes, of which the second is away']])(
  '%s, on a branch that a third of the witnesses builds',
  (kind) => {
    let world: OrderWorld;
    let caller: Caller;
    const proxies: NodeProxy[] = [];
    beforeEach(async () => {
      world = await OrderWorld.open({
        time: 'virtual',
        block: 100,
        witnesses: 27,
        env: { ANSWER_TIMEOUT: '3s', ...(kind.endsWith('believed') && { CHAIN_PROOF: 'nodes' }) },
        nodeUrl: async (url) => {
          if (kind.startsWith('one')) return url;
          const [first, second] = [new NodeProxy(url), new NodeProxy(url)];
          proxies.push(first, second);
          return [await first.open(), await second.open()].join(',');
        },
      });
      caller = await world.caller();
      await until('a whole turn of all witnesses', () => Promise.resolve(chain().final!.number > 30));
      await proxies[1]?.refuse();
    });
    afterEach(async () => {
      await world.close();
      await Promise.all(proxies.splice(0).map((proxy) => proxy.close().catch(() => undefined)));
    });

    const chain = () => world.app.app.get(VerifiedChain).headers!;
    const watch = () => world.app.app.get(FinalityWatch);
    const order = async (headers: Record<string, string> = {}) =>
      world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 }, headers);
    const stateOf = (answer: Awaited<ReturnType<typeof order>>) => [
      answer.status,
      answer.headers.get('x-delegation-state'),
    ];
    const rows = async () => {
      const texts = ['delegations', 'holds', 'chain_transactions', 'ledger_entries'];
      return Promise.all(texts.map(async (table) => (await world.query(`select 1 from ${table}`)).length));
    };
    const ready = async (url = world.app.url) => {
      const response = await fetch(`${url}/health/ready`);
      const { reason } = (await response.json()) as { reason?: string };
      return { status: response.status, reason };
    };

    it('an order in one of its blocks is answered as accepted, not as included, and as included once all are back', async () => {
      expect(stateOf(await order())).toEqual([200, 'included']);
      await world.control('witnesses', { silent: SILENT });
      await until('too few of them seen', () => Promise.resolve(watch().doubt !== null));
      expect(watch().doubt).toContain('19 are needed');
      expect(watch().problem).toBeNull();
      const answer = await order();
      expect(stateOf(answer)).toEqual([200, 'accepted']);
      const id = answer.headers.get('x-delegation-id')!;
      expect((await world.show(id))!.state).toBe('included');
      await world.control('witnesses', { silent: 0 });
      await world.untilState(id, 'delegated');
      await until('enough of them seen', () => Promise.resolve(watch().doubt === null));
      const last = await order();
      expect(stateOf(last)).toEqual([200, 'included']);
      await world.untilState(last.headers.get('x-delegation-id')!, 'delegated');
      await expectChainTruth(world);
    });

    it('so is one that a node took without an answer: it is charged once final', async () => {
      await world.control('witnesses', { silent: SILENT });
      await until('too few of them seen', () => Promise.resolve(watch().doubt !== null));
      await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'pool-then-500', count: 2 });
      const answer = await order();
      expect(stateOf(answer)).toEqual([200, 'accepted']);
      const id = answer.headers.get('x-delegation-id')!;
      await world.control('witnesses', { silent: 0 });
      await world.untilState(id, 'delegated');
      await expectChainTruth(world);
    });

    it('an order that was interrupted there is answered as accepted by the request that takes it over', async () => {
      await world.control('witnesses', { silent: SILENT });
      await until('too few of them seen', () => Promise.resolve(watch().doubt !== null));
      const key = { 'idempotency-key': `interrupted-${kind.length}` };
      const body = { receiver_address: await world.receiver(), amount: 1 };
      const first = await world.delegate(caller, body, key);
      // As a process that has died leaves it.
      await world.query(
        `update delegations set answer = 'none', answer_code = null, answered_at = null, claimed_until = now() where id = $1 returning id`,
        [first.headers.get('x-delegation-id')],
      );
      expect(stateOf(await world.delegate(caller, body, key))).toEqual([200, 'accepted']);
    });

    it('after two rounds without a final block no order begins, and readiness says so; an instance that starts then does the same', async () => {
      const placed = await order();
      const id = placed.headers.get('x-delegation-id')!;
      expect((await ready()).status).toBe(200);
      await world.control('witnesses', { silent: SILENT });
      await until('two rounds', () => Promise.resolve(watch().problem !== null));
      const before = await rows();
      const refused = await order();
      expect([refused.status, refused.headers.get('x-error-code')]).toEqual([500, 'NODE_UNAVAILABLE']);
      const quoted = await world.get(caller, `/api/chain/quote?receiver_address=${await world.receiver()}`);
      expect([quoted.status, quoted.headers.get('x-error-code')]).toEqual([500, 'NODE_UNAVAILABLE']);
      expect(await rows()).toEqual(before);
      const stalled = { status: 503, reason: expect.stringContaining('no new final block for') as string };
      expect(await ready()).toMatchObject(stalled);
      expect((await world.get(caller, `/api/chain/delegations/${id}`)).status).toBe(200);

      const started = await world.startInstance();
      await until('it has read the chain', async () =>
        (await ready(started.url)).reason?.includes('no new final block for'),
      );
      expect(await ready(started.url)).toMatchObject(stalled);
      const headers = { authorization: `Bearer ${caller.token}` };
      expect((await fetch(`${started.url}/api/chain/delegations/${id}`, { headers })).status).toBe(200);

      await world.control('witnesses', { silent: 0 });
      await until(
        'both ready',
        async () => (await ready()).status === 200 && (await ready(started.url)).status === 200,
      );
      const last = await order();
      expect(last.status).toBe(200);
      await world.untilState(last.headers.get('x-delegation-id')!, 'delegated');
      await expectChainTruth(world);
    });
  },
);
