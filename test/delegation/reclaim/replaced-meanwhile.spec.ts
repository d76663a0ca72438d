import { StakeMoves } from '../../../src/chain/pool/wallets/stake-moves';
import { ReferenceBlocks } from '../../../src/chain/verified-chain/reference-blocks';
import { toHexAddress } from '../../../src/chain/tron/addresses';
import { takeBackByHand } from '../../support/by-hand';
import { HeldLock } from '../../support/held-lock';
import { NodeProxy } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const LENT = 'walletsolidity/getdelegatedresourcev2';
const DOUBT = `update delegations set stake_missing = true, last_error = 'the delegation is not there in full', reclaim_due_at = now() - interval '1 day'
                where id = any($1) returning id`;
/** A doubted order closes its pair to new ones: the third is placed as if it had come before the doubt. */
const OPEN = `update delegations set stake_missing = false where id = any($1) returning id`;
const FORGET_BACK_OFF = `update delegations set next_attempt_at = null where id = any($1) returning id`;
const READINGS = `select count(*)::integer as count from delegation_events
                   where delegation_id = any($1) and kind = 'shortage read' group by delegation_id`;

/** Our other orders have lent as much as before: only the last block in which something was moved differs. */
describe('an order of which nothing is there, beside one that ends short of all while another of its size is lent', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 200,
      solidLag: 3,
      backgroundWork: false,
      env: { RECLAIM_SWEEP: '1h', DELEGATION_ANSWER: 'accepted' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    await world.startInstance();
    caller = await world.caller({ balance: 10_000 });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  async function place(receiver: string): Promise<string> {
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    return answer.headers.get('x-delegation-id')!;
  }
  const untilLent = async (id: string) => (await world.untilState(id, 'delegated')).stake_sun;
  const pool = () => world.chain.accounts.find(({ role }) => role === 'pool')!.address;
  async function lentSun(receiver: string): Promise<bigint> {
    const pair = { fromAddress: toHexAddress(pool()), toAddress: toHexAddress(receiver) };
    const found = await world.node(LENT, pair);
    const [record] = (found['delegatedResource'] ?? []) as { frozen_balance_for_energy?: number }[];
    return BigInt(record?.frozen_balance_for_energy ?? 0);
  }
  async function solidNumber(): Promise<number> {
    const { block_header: header } = await world.node('walletsolidity/getnowblock');
    return (header as { raw_data: { number: number } }).raw_data.number;
  }
  async function sweepInLaterBlock(ids: readonly string[]): Promise<void> {
    const before = await solidNumber();
    await until('a later solid block', async () => (await solidNumber()) > before + 1);
    await world.query(FORGET_BACK_OFF, [ids]);
    await world.sweepOnce();
  }

  it('takes all of its stake back: the other one’s shortage is not counted for it too', async () => {
    const receiver = await world.receiver();
    const both = [await place(receiver), await place(receiver)];
    const stakeSun = await untilLent(both[0]!);
    expect(await untilLent(both[1]!)).toBe(stakeSun);
    await takeBackByHand(world, receiver, stakeSun);
    await world.query(DOUBT, [both]);
    for (const count of [1, 2]) {
      await sweepInLaterBlock(both);
      expect(await world.query(READINGS, [both])).toEqual([{ count }, { count }]);
    }
    const top = await solidNumber();
    const moves = world.app.app.get(StakeMoves);
    await until('the blocks looked through', async () => {
      await world.app.app.get(ReferenceBlocks).refresh();
      return moves.find(toHexAddress(pool()), toHexAddress(receiver), top, 0);
    });

    const looks = Promise.withResolvers<void>();
    let seen = 0;
    proxy.before = ({ route }) => (route === LENT ? (seen++, looks.promise) : undefined);
    const swept = sweepInLaterBlock(both);
    await until('each has asked what is lent', async () => seen >= 2);
    await world.query(OPEN, [both]);
    const account = `select 1 from accounts where user_id = $1 for update`;
    const placing = await HeldLock.take(world.database.url, account, [caller.id]);
    const placed = place(receiver);
    await placing.untilWaiting(1);
    await world.query(DOUBT, [both]);
    const rows = `select 1 from delegations where id = any($1) for no key update`;
    const ending = await HeldLock.take(world.database.url, rows, [both]);
    looks.resolve();
    // One for its own row, the other for its turn.
    await ending.untilWaiting(3);
    await world.untilRow(`select from pg_locks where locktype = 'advisory' and not granted`);
    await placing.release();
    expect(await untilLent(await placed)).toBe(stakeSun);
    await ending.release();
    await swept;
    proxy.before = () => undefined;

    await until('both have ended', async () => {
      await sweepInLaterBlock(both);
      return (await Promise.all(both.map((id) => world.show(id)))).every((view) => view!.state === 'reclaimed');
    });
    const shortages = await Promise.all(both.map(async (id) => (await world.show(id))!.shortage_sun));
    expect(shortages.toSorted((a, b) => Number(a - b))).toEqual([0n, stakeSun]);
    expect(await lentSun(receiver)).toBe(stakeSun);
  });
});
