import { TronWeb } from 'tronweb';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { type NodeCall, NodeProxy } from '../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';

const INFORMATION = 'wallet/gettransactioninfobyid';
/** One transaction, and 1.5 for the activation. */
const [FEE, WITH_ACTIVATION] = [2.5, 4];

/** An account that exists is shown by no view of the node. */
const hiding =
  (receiver: string) =>
  ({ route, body }: NodeCall, answer: string): string =>
    route.endsWith('/getaccount') && body['address'] === TronWeb.address.toHex(receiver) ? '{}' : answer;
/** Nothing was paid for a new account. */
const withoutFee = ({ route }: NodeCall, answer: string): string =>
  route === INFORMATION ? answer.replace(/"fee":\s*\d+/, '"fee":0').replace(/"net_fee":\s*\d+/, '"net_fee":0') : answer;
const [DAY_MS, HOUR_MS] = [86_400_000, 3_600_000];
const code = ({ headers }: Answer) => headers.get('x-error-code') ?? 'success';

describe.each([
  ['a single node', 1],
  ['two nodes', 2],
])('an activation of an account that existed before, with %s,', (_, count) => {
  let world: OrderWorld;
  let caller: Caller;
  const nodes: NodeProxy[] = [];
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 250,
      env: { BILLING_VARIANT: 'B' },
      nodeUrl: async (url) => {
        nodes.splice(0);
        for (let at = 0; at < count; at++) nodes.push(new NodeProxy(url));
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
    });
  });
  afterAll(async () => {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });
  beforeEach(async () => (caller = await world.caller({ balance: 100 })));
  afterEach(async () => {
    for (const node of nodes) [node.after, node.status] = [(_call, answer) => answer, () => undefined];
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
    expect((await world.audit()).ok).toBe(true);
  });

  const order = (receiver: string) =>
    world.delegate(caller, { receiver_address: receiver, amount: 1, activate_address: true });
  /** Orders for an account that no node shows at first. */
  async function needless(): Promise<Answer> {
    const receiver = await world.receiver();
    for (const node of nodes) node.after = hiding(receiver);
    return order(receiver);
  }
  const balance = async () => (await world.get(caller, '/api/user/balance')).body['data'];

  it('is not charged: the answer says so, the history, and the balance', async () => {
    const answer = await needless();
    expect([code(answer), answer.body['cost']]).toEqual(['success', FEE]);
    const sent = `select 1 from chain_transactions where purpose = 'activation' and subject_id = $1`;
    const id = answer.headers.get('x-delegation-id')!;
    expect(await world.query(sent, [id])).toHaveLength(1);
    const noted = `select 1 from delegation_events where delegation_id = $1 and kind = 'activation not charged'`;
    expect(await world.query(noted, [id])).toHaveLength(1);
    await world.untilState(id, 'delegated');
    expect(await balance()).toMatchObject({ balance: 100 - FEE });
    const day = `select used_sun from token_days d join api_tokens t on t.id = d.token_id where t.user_id = $1`;
    expect(await world.query(day, [caller.id])).toEqual([{ used_sun: BigInt(FEE * 1_000_000) }]);
  });

  it('is charged where it was needed', async () => {
    const answer = await order(await world.receiver(false));
    expect([code(answer), answer.body['cost']]).toEqual(['success', WITH_ACTIVATION]);
    await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
    expect(await balance()).toMatchObject({ balance: 100 - WITH_ACTIVATION });
  });

  it('is given three times a day, which is all that nodes that lie can give away; then it is charged', async () => {
    for (const node of nodes) node.after = withoutFee;
    const costs: unknown[] = [];
    for (let at = 0; at < 5; at++) costs.push((await order(await world.receiver(false))).body['cost']);
    expect(costs).toEqual([FEE, FEE, FEE, WITH_ACTIVATION, WITH_ACTIVATION]);
    const other = await world.caller({ balance: 100 });
    const body = { receiver_address: await world.receiver(false), amount: 1, activate_address: true };
    expect((await world.delegate(other, body)).body['cost']).toBe(FEE);
  });

  it('is given again once one of the three is a day old by block time', async () => {
    for (const node of nodes) node.after = withoutFee;
    const cost = async () => (await order(await world.receiver(false))).body['cost'];
    const age = (ms: number) =>
      world.query('update waived_activations set head_time_ms = head_time_ms - $2 where user_id = $1 returning 1', [
        caller.id,
        ms,
      ]);
    expect([await cost(), await cost(), await cost()]).toEqual([FEE, FEE, FEE]);
    await age(DAY_MS - HOUR_MS);
    expect(await cost()).toBe(WITH_ACTIVATION);
    await age(HOUR_MS);
    expect(await cost()).toBe(FEE);
  });

  it('is charged where a node does not say', async () => {
    const receiver = await world.receiver();
    for (const node of nodes) node.after = hiding(receiver);
    nodes.at(-1)!.status = ({ route }) => (route === INFORMATION ? 500 : undefined);
    const answer = await order(receiver);
    expect([code(answer), answer.body['cost']]).toEqual(['success', WITH_ACTIVATION]);
  });

  if (count === 1) return;

  it('is charged where one of them shows the fee for a new account', async () => {
    nodes[0]!.after = withoutFee;
    const answer = await order(await world.receiver(false));
    expect([code(answer), answer.body['cost']]).toEqual(['success', WITH_ACTIVATION]);
  });
});
