import { TronWeb } from 'tronweb';
import { takeBackByHand } from '../../support/by-hand';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { type Caller, OrderWorld } from '../../support/order-world';

const hex = (address: string) => TronWeb.address.toHex(address);

describe('taking energy back', () => {
  let world: OrderWorld;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({ time: 'virtual', block: 300, solidLag: 3 });
    caller = await world.caller();
  });
  afterAll(() => world.close());

  async function order(receiver: string, body: object = {}): Promise<string> {
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1, ...body });
    expect(answer.status).toBe(200);
    return answer.headers.get('x-delegation-id')!;
  }

  const makeDue = (...ids: string[]) =>
    world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = any($1) returning id`, [
      ids,
    ]);

  async function lentSun(receiver: string): Promise<bigint> {
    const pool = world.chain.accounts.find(({ role }) => role === 'pool')!.address;
    const found = await world.node('walletsolidity/getdelegatedresourcev2', {
      fromAddress: hex(pool),
      toAddress: hex(receiver),
    });
    const [record] = (found['delegatedResource'] ?? []) as { frozen_balance_for_energy?: number }[];
    return BigInt(record?.frozen_balance_for_energy ?? 0);
  }

  async function rowsSun(receiver: string): Promise<bigint> {
    const rows = await world.query(
      `select coalesce(sum(stake_sun), 0)::bigint as sun from delegations where receiver = $1 and state in ('delegated', 'reclaiming')`,
      [receiver],
    );
    return rows[0]!['sun'] as bigint;
  }

  it('takes back from overlapping orders of one receiver exactly their own stake, each once', async () => {
    const receiver = await world.receiver();
    const ids = await Promise.all([1, 2, 3, 1.5].map((amount) => order(receiver, { amount })));
    await untilSettled(world.app.sql);
    expect(await lentSun(receiver)).toBe(await rowsSun(receiver));
    for (const id of ids) {
      await makeDue(id);
      await world.untilState(id, 'reclaimed');
      expect(await lentSun(receiver)).toBe(await rowsSun(receiver));
    }
    expect(await lentSun(receiver)).toBe(0n);
    await expectChainTruth(world);
  });

  it('waits for its time by block time, and holds a full day when the rental asks for it', async () => {
    const dayWorld = await OrderWorld.open({
      time: 'virtual',
      block: 200,
      env: { RECLAIM_AT_RENTAL_END: 'on', RECLAIM_DELAY: '60m' },
    });
    const renter = await dayWorld.caller();
    const receiver = await dayWorld.receiver();
    const place = async (time: number) => {
      const answer = await dayWorld.delegate(renter, { receiver_address: receiver, amount: 1, time });
      return answer.headers.get('x-delegation-id')!;
    };
    const [short, long] = [await place(10), await place(1440)];
    const views = [await dayWorld.untilState(short, 'delegated'), await dayWorld.untilState(long, 'delegated')];
    const heldMs = views.map((view) => Date.parse(view.reclaim_due_at!) - Date.parse(view.delegated_at!));
    expect(heldMs).toEqual([3_600_000, 86_400_000]);
    // A block short of the hour a sweep finds nothing; past it, it finds one.
    await dayWorld.control('clock', { ms: 3_500_000 });
    await dayWorld.control('block', { count: 2 });
    await dayWorld.sweepOnce();
    expect(await dayWorld.show(short)).toMatchObject({ state: 'delegated' });
    await dayWorld.control('clock', { ms: 110_000 });
    await dayWorld.untilState(short, 'reclaimed');
    expect(await dayWorld.show(long)).toMatchObject({ state: 'delegated' });
    await dayWorld.close();
  });

  it('records a shortage when somebody else took stake back, and leaves the other orders whole', async () => {
    const receiver = await world.receiver();
    const [one, two] = [await order(receiver, { amount: 2 }), await order(receiver, { amount: 2 })];
    await untilSettled(world.app.sql);
    const stakeSun = (await world.show(one))!.stake_sun;
    await takeBackByHand(world, receiver, stakeSun / 2n);
    await makeDue(one);
    await world.untilState(one, 'reclaimed');
    expect(await world.show(one)).toMatchObject({ shortage_sun: 0n });

    await makeDue(two);
    await world.untilRow(`select 1 from delegations where id = $1 and last_error is not null`, [two]);
    // Only expiry frees the order for the next attempt.
    await world.control('clock', { ms: 61_000 });
    await world.untilRow(`select 1 from delegations where id = $1 and attempts = 1`, [two]);
    await world.query(`update delegations set next_attempt_at = now() where id = $1 returning id`, [two]);
    const short = await world.untilState(two, 'reclaimed');
    expect(short.shortage_sun).toBe(stakeSun / 2n);
    expect(await lentSun(receiver)).toBe(0n);
    const { findings } = await world.audit();
    expect(findings.map(({ kind, subject }) => [kind, subject])).toEqual([['shortage', `delegation ${two}`]]);
    const signed = await world.query(
      `select state from chain_transactions where subject_id = $1 and purpose = 'reclaim' order by id`,
      [two],
    );
    expect(signed.map(({ state }) => state)).toEqual(['dead', 'final']);
  });

  it('never lets two orders that are both short take the same rest', async () => {
    const receiver = await world.receiver();
    const ids = [await order(receiver), await order(receiver)];
    await untilSettled(world.app.sql);
    const stakeSun = (await world.show(ids[0]!))!.stake_sun;
    const taken = stakeSun + stakeSun / 2n;
    await takeBackByHand(world, receiver, taken);
    const short = `update delegations set stake_missing = true, last_error = 'the delegation is not there in full' where id = any($1) returning id`;
    await world.query(short, [ids]);
    await makeDue(...ids);
    await world.untilRow(`select 1 from delegations where id = any($1) and (state = 'reclaimed' or attempts > 0)`, [
      ids,
    ]);
    for (const id of ids) await world.untilReclaimed(id);
    const views = await Promise.all(ids.map((id) => world.show(id)));
    expect(views.reduce((sum, view) => sum + view!.shortage_sun, 0n)).toBe(taken);
    expect(await lentSun(receiver)).toBe(0n);
  });

  it('does not let one failing reclaim delay another, and keeps it visible', async () => {
    const [bad, good] = [await order(await world.receiver()), await order(await world.receiver())];
    await untilSettled(world.app.sql);
    const lost = `insert into pool_wallets (id, name, address, role, key_source, state) values (gen_random_uuid(), 'lost', $1, 'delegate', 'file:/nowhere', 'paused') returning id`;
    const [{ id: wallet }] = (await world.query(lost, [await world.receiver()])) as [{ id: string }];
    await world.query(`update delegations set wallet_id = $2 where id = $1 returning id`, [bad, wallet]);
    await makeDue(bad, good);
    await world.untilState(good, 'reclaimed');
    const failing = await world.untilRow(
      `select last_error, attempts from delegations where id = $1 and last_error is not null`,
      [bad],
    );
    expect(failing['last_error']).toContain('key file');
    const pool = `update delegations set wallet_id = (select id from pool_wallets where name = 'pool') where id = $1 returning id`;
    await world.query(pool, [bad]);
    await world.untilReclaimed(bad);
  });
});
