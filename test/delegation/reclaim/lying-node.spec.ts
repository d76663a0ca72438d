import { TronWeb } from 'tronweb';
import { takeBackByHand } from '../../support/by-hand';
import { expectChainTruth } from '../../support/chain-truth';
import { type NodeCall, NodeProxy } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const LENT = 'walletsolidity/getdelegatedresourcev2';
const SOLID_HEAD = 'walletsolidity/getblock';
const SEND = 'wallet/broadcasttransaction';
const REFUSALS = [
  'Contract validate error : delegated Resource does not exist',
  'Contract validate error : insufficient delegateFrozenBalance(energy), request=2, unlock_balance=1',
];

function isUndelegation({ route, body }: NodeCall): boolean {
  return route === SEND && JSON.stringify(body).includes('"UnDelegateResourceContract"');
}

function refusal({ body }: NodeCall, message: string): string {
  const coded = Buffer.from(message).toString('hex');
  return JSON.stringify({ code: 'CONTRACT_VALIDATE_ERROR', txid: body['txID'], message: coded });
}

describe('two nodes, of which the first says that what is lent is not there', () => {
  let world: OrderWorld;
  let first: NodeProxy;
  let second: NodeProxy;
  let caller: Caller;
  let isGone = false;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 250,
      solidLag: 3,
      nodeUrl: async (url) => {
        [first, second] = [new NodeProxy(url), new NodeProxy(url)];
        return [await first.open(), await second.open()].join(',');
      },
    });
    caller = await world.caller();
  });
  afterAll(async () => {
    await world.close();
    await Promise.all([first, second].map((node) => node.close()));
  });
  afterEach(async () => {
    if (isGone) await second.listen();
    isGone = false;
    for (const node of [first, second]) {
      [node.answers, node.after] = [() => undefined, (_call, answer) => answer];
      node.calls.length = 0;
    }
  });

  async function lent(): Promise<{ id: string; receiver: string; stakeSun: bigint }> {
    const receiver = await world.receiver();
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    const id = answer.headers.get('x-delegation-id')!;
    const { stake_sun: stakeSun } = await world.untilState(id, 'delegated');
    return { id, receiver, stakeSun };
  }

  async function isLent(receiver: string): Promise<boolean> {
    const pool = world.chain.accounts.find(({ role }) => role === 'pool')!.address;
    const [fromAddress, toAddress] = [pool, receiver].map((address) => TronWeb.address.toHex(address));
    return (await world.node(LENT, { fromAddress, toAddress }))['delegatedResource'] !== undefined;
  }

  const lie = (message: string) =>
    (first.answers = (call) => {
      if (call.route === LENT) return '{}';
      return isUndelegation(call) ? refusal(call, message) : undefined;
    });
  const makeDue = (id: string, lastError: string | null = null) =>
    world.query(
      `update delegations set reclaim_due_at = now() - interval '1 day', last_error = $2, stake_missing = $2::text is not null
        where id = $1 returning id`,
      [id, lastError],
    );

  async function expectAllBack({ id, receiver }: { id: string; receiver: string }): Promise<void> {
    expect(await world.untilState(id, 'reclaimed')).toMatchObject({ shortage_sun: 0n });
    expect(await isLent(receiver)).toBe(false);
    await expectChainTruth(world);
  }

  it.each(REFUSALS)(
    'all is taken back through the second, with the bytes that the first refuses: %s',
    async (message) => {
      const order = await lent();
      lie(message);
      await makeDue(order.id);
      await expectAllBack(order);
      const [refused, taken] = [first, second].map(({ calls }) => calls.filter(isUndelegation)[0]!.body['txID']);
      expect(taken).toBe(refused);
      const text = `select count(*)::int as n from chain_transactions where subject_id = $1 and purpose = 'reclaim'`;
      expect(await world.query(text, [order.id])).toEqual([{ n: 1 }]);
    },
  );

  it('all is taken back of an order that is in doubt already: what the second shows counts', async () => {
    const order = await lent();
    lie(REFUSALS[0]!);
    await makeDue(order.id, 'the delegation is not there in full');
    await expectAllBack(order);
    const text = `select 1 from delegation_events where delegation_id = $1 and kind = 'shortage read'`;
    expect(await world.query(text, [order.id])).toEqual([]);
  });

  it('the second is not asked what is lent while the first shows all of it', async () => {
    const order = await lent();
    await makeDue(order.id, 'the delegation is not there in full');
    await expectAllBack(order);
    expect([first.count(LENT) > 0, second.count(LENT)]).toEqual([true, 0]);
  });

  it('both say so, the first in one and the same block: that is one reading, however far the second goes on', async () => {
    const order = await lent();
    const standing = JSON.stringify(await world.node(SOLID_HEAD, { detail: false }));
    first.answers = ({ route }) => (route === LENT ? '{}' : route === SOLID_HEAD ? standing : undefined);
    second.answers = ({ route }) => (route === LENT ? '{}' : undefined);
    await makeDue(order.id, 'the delegation is not there in full');
    await until('eight readings', async () => {
      await world.query(`update delegations set next_attempt_at = null where id = $1 returning id`, [order.id]);
      return second.count(LENT) >= 8;
    });
    expect(await world.show(order.id)).toMatchObject({ state: 'delegated', shortage_sun: 0n });
    for (const node of [first, second]) node.answers = () => undefined;
    await world.untilReclaimed(order.id);
    await expectAllBack(order);
  });

  const isMissing = (id: string, error: string) =>
    world.untilRow(
      `select 1 from delegations where id = $1 and stake_missing and starts_with(last_error, $2) and strpos(last_error, $3) > 0`,
      [id, 'the delegation is not there in full', error],
    );
  const tryNow = (id: string) =>
    world.query(`update delegations set next_attempt_at = null where id = $1 returning id`, [id]);
  /** Not the refusal of a node: what keeps it from being given up. */
  async function isKept(id: string, error: string): Promise<void> {
    await until(`kept: ${error}`, async () => {
      await tryNow(id);
      const [row] = await world.query(`select last_error from delegations where id = $1`, [id]);
      return String(row!['last_error']).includes(error);
    });
    const kept = (await world.show(id))!;
    expect([kept.state === 'reclaimed', kept.shortage_sun]).toEqual([false, 0n]);
    const { findings } = await world.audit();
    expect(findings).toContainEqual(
      expect.objectContaining({
        kind: 'overdue_reclaim',
        parameters: expect.objectContaining({ error: expect.stringContaining(error) as string }) as object,
      }),
    );
  }

  it('the second is away: nothing is given up by the word of the first, it is a finding, and all is taken back once the second is there', async () => {
    const order = await lent();
    await second.refuse();
    isGone = true;
    lie(REFUSALS[0]!);
    await makeDue(order.id);
    await isMissing(order.id, 'does not exist');
    await world.control('clock', { ms: 61_000 });
    await isKept(order.id, 'before every configured node says so');
    await second.listen();
    isGone = false;
    await world.untilReclaimed(order.id);
    await expectAllBack(order);
  });

  it('both lie: without a block in which it was taken back nothing is given up, and it is a finding', async () => {
    const order = await lent();
    for (const node of [first, second]) node.answers = ({ route }) => (route === LENT ? '{}' : undefined);
    await makeDue(order.id, 'the delegation is not there in full');
    await isKept(order.id, 'no block shows that somebody else took it back');
    for (const node of [first, second]) node.answers = () => undefined;
    await world.untilReclaimed(order.id);
    await expectAllBack(order);
  });

  /** Refused, dead by its time, and then read in one solid block after the other. */
  async function expectShortage(id: string, stakeSun: bigint): Promise<void> {
    await makeDue(id);
    await world.untilRow(`select 1 from delegations where id = $1 and stake_missing and starts_with(last_error, $2)`, [
      id,
      'the delegation is not there in full',
    ]);
    await world.control('clock', { ms: 61_000 });
    await world.untilRow(`select 1 from delegations where id = $1 and attempts = 1`, [id]);
    await world.query(`update delegations set next_attempt_at = now() where id = $1 returning id`, [id]);
    expect(await world.untilReclaimed(id)).toMatchObject({ shortage_sun: stakeSun });
  }

  it('neither lies: what somebody else has taken is found to be missing, by both', async () => {
    const { id, receiver, stakeSun } = await lent();
    await takeBackByHand(world, receiver, stakeSun);
    await expectShortage(id, stakeSun);
    expect([first, second].map((node) => node.calls.some(isUndelegation))).toEqual([true, true]);
    expect(second.count(LENT)).toBeGreaterThanOrEqual(3);
  });

  it.each(['SIGERROR', 'SERVER_BUSY'])(
    'the first answers %s to all bytes: a real shortage is found all the same',
    async (code) => {
      const { id, receiver, stakeSun } = await lent();
      await takeBackByHand(world, receiver, stakeSun);
      first.answers = (call) =>
        isUndelegation(call) ? JSON.stringify({ code, txid: call.body['txID'], message: '' }) : undefined;
      await expectShortage(id, stakeSun);
    },
  );

  it('the second is away: what somebody else has taken is given up once it says so too', async () => {
    const { id, receiver, stakeSun } = await lent();
    await takeBackByHand(world, receiver, stakeSun);
    await second.refuse();
    isGone = true;
    await makeDue(id, 'the delegation is not there in full');
    await isKept(id, 'before every configured node says so');
    await second.listen();
    isGone = false;
    expect(await world.untilReclaimed(id)).toMatchObject({ shortage_sun: stakeSun });
  });
});
