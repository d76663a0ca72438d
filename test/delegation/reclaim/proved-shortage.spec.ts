import { TronWeb } from 'tronweb';
import { lendByHand, takeBackByHand } from '../../support/by-hand';
import { expectChainTruth } from '../../support/chain-truth';
import { runOnServer } from '../../support/database-server';
import { asksForBlocks, editBlocks } from '../../support/forged-blocks';
import { NodeProxy } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const LENT = 'walletsolidity/getdelegatedresourcev2';
const DOUBT = 'the delegation is not there in full';

/** As rows are that followed a branch without it, until an operator accepted another one. */
const calledDead = (id: string, txId: string) => `
  set session_replication_role = replica;
  update chain_transactions set state = 'dead', block_number = null, block_id = null, block_time_ms = null where tx_id = '${txId}';
  update delegations set state = 'delegated', reclaimed_at = null where id = '${id}'`;

describe('one node, which says that what is lent is not there', () => {
  let world: OrderWorld;
  let node: NodeProxy;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 200,
      solidLag: 3,
      nodeUrl: (url) => (node = new NodeProxy(url)).open(),
    });
    caller = await world.caller({ balance: 10_000 });
  });
  afterAll(async () => {
    await world.close();
    await node.close();
  });
  afterEach(() => tellTheTruth());

  interface Lent {
    readonly id: string;
    readonly receiver: string;
    readonly stakeSun: bigint;
  }

  async function lend(receiver?: string): Promise<Lent> {
    const to = receiver ?? (await world.receiver());
    const answer = await world.delegate(caller, { receiver_address: to, amount: 1 });
    const id = answer.headers.get('x-delegation-id')!;
    const { stake_sun: stakeSun } = await world.untilState(id, 'delegated');
    return { id, receiver: to, stakeSun };
  }

  const hide = () => (node.answers = ({ route }) => (route === LENT ? '{}' : undefined));
  const tellTheTruth = () => {
    [node.answers, node.after] = [() => undefined, (_call, answer) => answer];
    node.calls.length = 0;
  };
  const makeDue = (id: string) =>
    world.query(
      `update delegations set reclaim_due_at = now() - interval '1 day', last_error = $2, stake_missing = true where id = $1 returning id`,
      [id, DOUBT],
    );
  async function untilError(id: string, error: string): Promise<void> {
    await until(error, async () => {
      await world.query(`update delegations set next_attempt_at = null where id = $1 returning id`, [id]);
      const [row] = await world.query(`select last_error from delegations where id = $1`, [id]);
      return String(row!['last_error']).includes(error);
    });
    expect(await world.show(id)).toMatchObject({ state: 'delegated', shortage_sun: 0n });
  }
  const proofOf = async (id: string) =>
    (
      await world.query(`select detail from delegation_events where delegation_id = $1 and kind = 'shortage proved'`, [
        id,
      ])
    ).map(({ detail }) => (detail as { taken_by: { tx_id: string }[] }).taken_by.map(({ tx_id: txId }) => txId));
  const isLent = async (receiver: string) => {
    const pool = world.chain.accounts.find(({ role }) => role === 'pool')!.address;
    const [fromAddress, toAddress] = [pool, receiver].map((address) => TronWeb.address.toHex(address));
    return (await world.node(LENT, { fromAddress, toAddress }))['delegatedResource'] !== undefined;
  };

  it('is not believed without a block in which it was taken back: the order keeps trying, and is a finding', async () => {
    const order = await lend();
    hide();
    await makeDue(order.id);
    await untilError(order.id, 'no block shows that somebody else took it back');
    const { findings } = await world.audit();
    expect(findings.map(({ kind }) => kind)).toContain('overdue_reclaim');
    tellTheTruth();
    expect(await world.untilReclaimed(order.id)).toMatchObject({ shortage_sun: 0n });
    expect(await isLent(order.receiver)).toBe(false);
    await expectChainTruth(world);
  });

  it('is believed as far as somebody else took it back, which the history names', async () => {
    const order = await lend();
    const txId = await takeBackByHand(world, order.receiver, order.stakeSun / 2n);
    // All the same, it says that all is gone.
    hide();
    await makeDue(order.id);
    await untilError(order.id, 'no block shows that somebody else took it back');
    tellTheTruth();
    expect(await world.untilReclaimed(order.id)).toMatchObject({ shortage_sun: order.stakeSun / 2n });
    expect(await proofOf(order.id)).toEqual([[txId]]);
    expect(await isLent(order.receiver)).toBe(false);
  });

  it('is believed as far as an undelegation of its own took it back that the rows call dead', async () => {
    const order = await lend();
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1 returning id`, [
      order.id,
    ]);
    await world.untilState(order.id, 'reclaimed');
    const [{ tx_id: txId }] = (await world.query(
      `select tx_id from chain_transactions where subject_id = $1 and purpose = 'reclaim'`,
      [order.id],
    )) as [{ tx_id: string }];
    await runOnServer(world.database.url, calledDead(order.id, txId));
    await makeDue(order.id);
    expect(await world.untilReclaimed(order.id)).toMatchObject({ shortage_sun: order.stakeSun });
    expect(await proofOf(order.id)).toEqual([[txId]]);
  });

  it('one undelegation explains no second shortage, and what others lent makes it explain less', async () => {
    const receiver = await world.receiver();
    const [short, other] = [await lend(receiver), await lend(receiver)];
    await takeBackByHand(world, receiver, short.stakeSun);
    await makeDue(short.id);
    expect(await world.untilReclaimed(short.id)).toMatchObject({ shortage_sun: short.stakeSun });
    hide();
    await makeDue(other.id);
    await untilError(other.id, 'no block shows that somebody else took it back');
    tellTheTruth();
    expect(await world.untilReclaimed(other.id)).toMatchObject({ shortage_sun: 0n });

    const lone = await lend();
    await lendByHand(world, lone.receiver, lone.stakeSun);
    await takeBackByHand(world, lone.receiver, lone.stakeSun);
    hide();
    await makeDue(lone.id);
    await untilError(lone.id, 'no block shows that somebody else took it back');
    tellTheTruth();
    expect(await world.untilReclaimed(lone.id)).toMatchObject({ shortage_sun: 0n });
  });

  it('an order that was given the stake of a later one leaves it the proof', async () => {
    const receiver = await world.receiver();
    const early = await lend(receiver);
    const txId = await takeBackByHand(world, receiver, early.stakeSun);
    const late = await lend(receiver);
    // Its bytes take the other's stake: no instance has doubted it.
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1 returning id`, [
      early.id,
    ]);
    expect(await world.untilState(early.id, 'reclaimed')).toMatchObject({ shortage_sun: 0n });
    await makeDue(late.id);
    expect(await world.untilReclaimed(late.id)).toMatchObject({ shortage_sun: late.stakeSun });
    expect(await proofOf(late.id)).toEqual([[txId]]);
  });

  it('a block that is not shown as the chain has it proves nothing, and the finding says so', async () => {
    const order = await lend();
    const txId = await takeBackByHand(world, order.receiver, order.stakeSun);
    node.after = (call, answer) =>
      asksForBlocks(call) && call.route.startsWith('wallet/getblockby')
        ? editBlocks(answer, (block) => ({
            ...block,
            transactions: block.transactions?.filter(({ txID }) => txID !== txId),
          }))
        : answer;
    await makeDue(order.id);
    await untilError(order.id, '1 of which could not be read');
    tellTheTruth();
    await world.control('block');
    expect(await world.untilReclaimed(order.id)).toMatchObject({ shortage_sun: order.stakeSun });
  });
});
