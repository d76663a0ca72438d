import { ReferenceBlocks } from '../../../src/chain/verified-chain/reference-blocks';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { NodeProxy } from '../../support/node-proxy';
import { type Answer, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const BROADCAST = 'wallet/broadcasttransaction';

describe('one turn of the follower', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  afterEach(async () => {
    proxy.before = () => undefined;
    await world.close();
    await proxy.close();
  });
  const nodeUrl = async (url: string) => (proxy = new NodeProxy(url)).open();

  it('sees blocks while a node hangs on everything that is sent again', async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 200,
      solidLag: 60,
      nodeUrl,
      env: { ANSWER_TIMEOUT: '10s' },
    });
    const caller = await world.caller();
    const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await place();
    await world.control('fault', { route: BROADCAST, kind: 'accept-then-drop', count: 12 });
    const lost = await Promise.all(Array.from({ length: 12 }, place));
    const old = new Set(lost.map(({ body }) => body['txid']));
    let hanging = 0;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    proxy.before = async ({ route, body }) => {
      if (route !== BROADCAST || !old.has(body['txID'])) return;
      hanging++;
      await released;
    };
    await until('bytes sent again', () => Promise.resolve(hanging > 0));
    const seen = await place();
    expect(seen.headers.get('x-delegation-state')).toBe('included');
    release();
    await untilSettled(world.app.sql);
  });

  it('settles every other order when one cannot be recorded as dropped, and that one once it can', async () => {
    world = await OrderWorld.open({ block: 'manual', solidLag: 6, nodeUrl, env: { ANSWER_TIMEOUT: '20s' } });
    await world.control('block');
    const caller = await world.caller();
    const place = async (): Promise<Answer> => {
      const pending = world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
      await world.untilPending();
      await world.control('block');
      return pending;
    };
    const [poisoned, other] = [await place(), await place()];
    const number = Number(
      (await world.query(`select min(block_number) as number from chain_transactions`))[0]!['number'],
    );
    await world.query(
      `create function poison() returns trigger language plpgsql as $$ begin
         if new.tx_id = '${String(poisoned.body['txid'])}' and new.state = 'sent' and old.state = 'included'
         then raise exception 'poison'; end if; return new; end $$`,
    );
    await world.query(
      `create trigger poison before update on chain_transactions for each row execute function poison()`,
    );
    await world.control('fork', { from: number, keep: [] });
    await world.control('block', { count: 3 });
    await world.untilState(other.headers.get('x-delegation-id')!, 'sent');
    const third = await place();
    expect(third.headers.get('x-delegation-state')).toBe('included');
    await world.control('block', { count: 8 });
    await world.untilState(third.headers.get('x-delegation-id')!, 'delegated');

    await world.query(`drop trigger poison on chain_transactions`);
    await world.untilState(poisoned.headers.get('x-delegation-id')!, 'sent');
    await world.untilPending(2);
    await world.control('block', { count: 8 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('settles orders although the blocks of an older one cannot be read, and that one once they can', async () => {
    world = await OrderWorld.open({ time: 'virtual', block: 200, nodeUrl });
    const caller = await world.caller();
    const place = async () => {
      const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
      return answer.headers.get('x-delegation-id')!;
    };
    const first = await place();
    await world.untilState(first, 'delegated');
    const pruned = 40;
    await world.control('block', { count: pruned });
    // Transactions of long ago; the node has been started from a snapshot since.
    const copy = `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data,
        signature, expiration_ms, ref_block_number)
      select repeat(lpad(to_hex(n), 2, '0'), 32), 'activation', 'order', subject_id, wallet_id, 'T' || n, 1, raw_data,
             signature, expiration_ms, n
        from chain_transactions, generate_series(1, 5) as n where subject_id = $1 returning id`;
    expect(await world.query(copy, [first])).toHaveLength(5);
    let isPruned = true;
    proxy.after = ({ route, body }, answer) => {
      const from = Number(body['startNum'] ?? body['num'] ?? pruned);
      return isPruned && route.startsWith('wallet/getblockby') && from > 0 && from < pruned ? '{}' : answer;
    };
    // New orders name blocks that the node still has.
    const references = world.app.app.get(ReferenceBlocks);
    await until('the solid block past those', async () => (await references.refresh()).final.number > pruned);
    for (const id of [await place(), await place()]) await world.untilState(id, 'delegated');
    const aside = `select 1 from chain_transactions where purpose = 'activation' and state = 'saved'`;
    expect(await world.query(aside)).toHaveLength(5);
    isPruned = false;
    await world.control('clock', { ms: 61_000 });
    await world.untilRow(
      `select 1 from chain_transactions where purpose = 'activation' having count(*) filter (where state = 'dead') = 5`,
    );
    await world.untilState(await place(), 'delegated');
  });
});
