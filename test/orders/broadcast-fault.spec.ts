import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { type Answer, type Caller, OrderWorld } from '../support/order-world';

type Told = 'success' | 'OUTCOME_UNKNOWN' | 'NODE_UNAVAILABLE' | 'INTERNAL';

/** What the caller is told when every sending within the request meets the fault. Time and chain then tell the rest. */
const FAULTS: readonly [string, Told][] = [
  // The node says yes and forgets, or claims to have it already: sent again until it lands.
  ['accept-then-drop', 'success'],
  ['DUP_TRANSACTION_ERROR', 'success'],
  // Pooled, whatever the answer says: the block tells.
  ['p2p-failed', 'success'],
  ['pool-then-OTHER_ERROR', 'success'],
  ['pool-then-timeout', 'success'],
  ['pool-then-500', 'success'],
  ['pool-then-503', 'success'],
  ['pool-then-html', 'success'],
  ['pool-then-cut', 'success'],
  ['pool-then-reset', 'success'],
  // Not pooled, which nobody can know.
  ['timeout', 'OUTCOME_UNKNOWN'],
  ['500', 'OUTCOME_UNKNOWN'],
  ['503', 'OUTCOME_UNKNOWN'],
  ['429', 'OUTCOME_UNKNOWN'],
  ['403', 'OUTCOME_UNKNOWN'],
  ['html', 'OUTCOME_UNKNOWN'],
  ['cut', 'OUTCOME_UNKNOWN'],
  ['reset', 'OUTCOME_UNKNOWN'],
  ['dup', 'OUTCOME_UNKNOWN'],
  ['OTHER_ERROR', 'OUTCOME_UNKNOWN'],
  // Refused before anything was pooled.
  ['rate-limited', 'NODE_UNAVAILABLE'],
  ['busy', 'NODE_UNAVAILABLE'],
  ['TAPOS_ERROR', 'NODE_UNAVAILABLE'],
  ['TRANSACTION_EXPIRATION_ERROR', 'NODE_UNAVAILABLE'],
  ['SERVER_BUSY', 'NODE_UNAVAILABLE'],
  ['NO_CONNECTION', 'NODE_UNAVAILABLE'],
  ['NOT_ENOUGH_EFFECTIVE_CONNECTION', 'NODE_UNAVAILABLE'],
  ['BLOCK_UNSOLIDIFIED', 'NODE_UNAVAILABLE'],
  ['SIGERROR', 'INTERNAL'],
  ['CONTRACT_VALIDATE_ERROR', 'INTERNAL'],
  ['CONTRACT_EXE_ERROR', 'INTERNAL'],
  ['BANDWITH_ERROR', 'INTERNAL'],
  ['TOO_BIG_TRANSACTION_ERROR', 'INTERNAL'],
];

const ROUTE = 'wallet/broadcasttransaction';

describe('every fault of a broadcast', () => {
  let world: OrderWorld;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 200, env: { ANSWER_TIMEOUT: '1s' } });
    caller = await world.caller();
  });
  afterAll(() => world.close());

  it.each(FAULTS)('%s: the caller is told %s', async (kind, told) => {
    const receiver = await world.receiver();
    await world.control('fault', { route: ROUTE, kind, count: 2 });
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    await world.control('fault', { route: ROUTE, kind: 'none' });
    expect(answer.headers.get('x-error-code') ?? 'success').toBe(told);
    expect(answer.headers.get('x-delegation-id')).not.toBeNull();
  });

  it('ends with money and stake as the chain has it, and one signature per order', async () => {
    // What was not taken dies by block time; what was answered with success is sent again before that.
    const answeredWell = FAULTS.filter(([, told]) => told === 'success').length;
    const { sql } = world.app;
    const landed = { name: 'test_landed', text: `select id from delegations where state = 'delegated'` };
    while ((await sql.rows(landed)).length < answeredWell) await new Promise((resolve) => setTimeout(resolve, 100));
    await world.control('clock', { ms: 61_000 });
    await untilSettled(sql);
    const orders = await expectChainTruth(world);
    expect(orders.filter((order) => order.hold === 'taken')).toHaveLength(answeredWell);
    expect(orders.filter((order) => order.state === 'failed')).toHaveLength(FAULTS.length - answeredWell);
    const balance = await world.get(caller, '/api/user/balance');
    expect(balance.body).toMatchObject({ data: { balance: 1000 - 3 * answeredWell } });
  });
});

describe('an order that was answered with a failure and lands after all', () => {
  let world: OrderWorld;
  beforeAll(async () => (world = await OrderWorld.open({ block: 'manual', env: { ANSWER_TIMEOUT: '500ms' } })));
  afterAll(() => world.close());

  it('is never charged, and its energy is taken back as soon as it is solid', async () => {
    const caller = await world.caller({ balance: 3 });
    const receiver = await world.receiver();
    await world.control('block');
    await world.control('fault', { route: ROUTE, kind: 'pool-then-500', count: 1 });
    await world.control('fault', { route: ROUTE, kind: '500', count: 1 });
    const failure: Answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    expect(failure.headers.get('x-error-code')).toBe('OUTCOME_UNKNOWN');
    expect((await world.get(caller, '/api/user/balance')).body).toMatchObject({ data: { balance: 3 } });
    const id = failure.headers.get('x-delegation-id')!;

    await world.control('block');
    expect(await world.energyOf(receiver)).toBeGreaterThanOrEqual(65_000);
    await world.untilState(id, 'included');
    await world.control('block', { count: 4 });
    await world.untilState(id, 'taking_back');
    await world.untilRow(`select 1 from chain_transactions where purpose = 'reclaim' and state = 'sent'`);
    await world.control('block', { count: 5 });
    expect(await world.untilState(id, 'taken_back')).toMatchObject({ cost_sun: 0n, answer: 'failure' });
    expect(await world.energyOf(receiver)).toBe(0);
    await expectChainTruth(world);
  });
});
