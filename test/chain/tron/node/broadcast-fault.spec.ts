import { PoolWallets } from '../../../../src/chain/pool/wallets/pool-wallets';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';

type AnswerCode = 'success' | 'OUTCOME_UNKNOWN' | 'NODE_UNAVAILABLE' | 'INTERNAL';

/**
 * What the node did is unknown. Accepted: a block shows it. Not accepted: the caller is answered that it is unknown. (What is refused for
 * the number of calls is in refused-for-rate.spec.ts.)
 */
const UNKNOWN = ['timeout', '500', '503', 'html', 'cut', 'reset', 'dup', 'OTHER_ERROR'];
/** A node that says this neither keeps nor relays the bytes; one that lies is found out, and the energy comes back. */
const REFUSED: Readonly<Record<string, AnswerCode>> = {
  busy: 'NODE_UNAVAILABLE',
  TAPOS_ERROR: 'NODE_UNAVAILABLE',
  TRANSACTION_EXPIRATION_ERROR: 'NODE_UNAVAILABLE',
  SERVER_BUSY: 'NODE_UNAVAILABLE',
  NO_CONNECTION: 'NODE_UNAVAILABLE',
  NOT_ENOUGH_EFFECTIVE_CONNECTION: 'NODE_UNAVAILABLE',
  BLOCK_UNSOLIDIFIED: 'NODE_UNAVAILABLE',
  SIGERROR: 'INTERNAL',
  CONTRACT_VALIDATE_ERROR: 'INTERNAL',
  CONTRACT_EXE_ERROR: 'INTERNAL',
  BANDWITH_ERROR: 'INTERNAL',
  TOO_BIG_TRANSACTION_ERROR: 'INTERNAL',
};

/** The fault of each broadcast within the request, the code that the caller gets, and the order's last state. */
const FAULTS: readonly [kind: string, code: AnswerCode, end: string][] = [
  // The node says yes and forgets, or claims to have it already: sent again until it lands.
  ['accept-then-drop', 'success', 'delegated'],
  ['DUP_TRANSACTION_ERROR', 'success', 'delegated'],
  ['p2p-failed', 'success', 'delegated'],
  ...UNKNOWN.map((kind) => [kind, 'OUTCOME_UNKNOWN', 'failed'] as [string, AnswerCode, string]),
  ...UNKNOWN.map((kind) => [`pool-then-${kind}`, 'success', 'delegated'] as [string, AnswerCode, string]),
  ...Object.entries(REFUSED).map(([kind, code]) => [kind, code, 'failed'] as [string, AnswerCode, string]),
  ...Object.entries(REFUSED).map(
    ([kind, code]) => [`pool-then-${kind}`, code, 'taken_back'] as [string, AnswerCode, string],
  ),
];

const ROUTE = 'wallet/broadcasttransaction';

describe('every fault of a broadcast', () => {
  let world: OrderWorld;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({ time: 'virtual', block: 200, env: { ANSWER_TIMEOUT: '4s' } });
    caller = await world.caller();
  });
  afterAll(() => world.close());

  // A wallet that was refused for its own fault rests.
  beforeEach(async () => void (await world.app.app.get(PoolWallets).setState('pool', 'active')));

  const ends = new Map<string, string>();

  it.each(FAULTS)('%s: the caller is answered %s', async (kind, code, end) => {
    const receiver = await world.receiver();
    // Earlier orders may be sent again meanwhile: they meet the fault too, and are sent once more later.
    await world.control('fault', { route: ROUTE, kind, count: 50 });
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    await world.control('fault', { route: ROUTE, kind: 'none' });
    expect(answer.headers.get('x-error-code') ?? 'success').toBe(code);
    const id = answer.headers.get('x-delegation-id')!;
    ends.set(id, end);
    // A transaction that is still to be sent again would meet the next fault in the place of the next order.
    if (end !== 'failed') await world.untilState(id, 'included', 'delegated', 'taking_back', 'taken_back');
  });

  it('ends with money and stake as the chain has it, and one signature per order', async () => {
    // What was answered with success is sent again until it lands; what was not taken dies by block time.
    await Promise.all([...ends].filter(([, end]) => end !== 'failed').map(([id, end]) => world.untilState(id, end)));
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    const orders = await expectChainTruth(world);
    expect(new Map(orders.map(({ id, state }) => [id, state]))).toEqual(ends);
    const charged = [...ends.values()].filter((end) => end === 'delegated').length;
    const balance = await world.get(caller, '/api/user/balance');
    expect(balance.body).toMatchObject({ data: { balance: 1000 - 3 * charged } });
  });
});

describe('an order that was answered with a failure and lands after all', () => {
  let world: OrderWorld;
  beforeAll(
    async () => (world = await OrderWorld.open({ time: 'virtual', block: 'manual', env: { ANSWER_TIMEOUT: '500ms' } })),
  );
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
