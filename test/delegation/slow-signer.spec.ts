import { utils } from 'tronweb';
import { Signer, type SigningPlan } from '../../src/chain/transactions/signing/signer';
import { SigningKeys } from '../../src/chain/transactions/signing/signing-keys';
import { OrderHistories } from '../../src/delegation/order-histories';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { type Answer } from '../support/answer';
import { type Caller, OrderWorld } from '../support/order-world';
import { until } from '../support/until';

type Answering = (plan: SigningPlan, sign: () => Promise<string>) => Promise<string>;

/** Signs with the service's own keys, when the test lets it, and what the test has it answer. */
class TestSigner extends Signer {
  answering: Answering = (_plan, sign) => sign();
  /** Kinds that were asked for. */
  readonly asked: string[] = [];

  constructor(private readonly keys: SigningKeys) {
    super();
  }

  sign(plan: SigningPlan, rawData: Buffer): Promise<string> {
    this.asked.push(plan.kind.name);
    return this.answering(plan, () => this.keys.sign(plan, rawData));
  }
}

const BETWEEN_STATEMENTS = `select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
const HELD = `select (select coalesce(sum(held_sun), 0) from accounts)::text as held, (select sum(reserved_sun) from pool_wallets)::text as reserved,
                     (select count(*)::int from delegations where state in ('pending', 'activating', 'sent')) as open`;

describe('a signer that takes its time, or refuses', () => {
  let world: OrderWorld;
  let signer: TestSigner;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({
      env: { ANSWER_TIMEOUT: '20s' },
      overrides: (builder) =>
        builder.overrideProvider(Signer).useFactory({
          factory: (keys: SigningKeys) => (signer = new TestSigner(keys)),
          inject: [SigningKeys],
        }),
    });
    await world.untilWalletsRead();
    caller = await world.caller();
  });
  beforeEach(() => {
    signer.answering = (_plan, sign) => sign();
  });
  afterAll(() => world.close());

  const order = async (active: boolean, by: Caller = caller) => {
    const receiver = await world.receiver(active);
    return {
      receiver,
      answer: world.delegate(by, { receiver_address: receiver, amount: 1, activate_address: !active }),
    };
  };
  const idOf = ({ headers }: Answer) => headers.get('x-delegation-id')!;
  const codeOf = ({ headers }: Answer) => headers.get('x-error-code');
  /** Holds up this kind for this receiver, until `letGo`. */
  function hold(kind: string, receiver?: string) {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isAsked = false;
    signer.answering = async (plan, sign) => {
      const to = plan.values['receiver_address'] ?? plan.values['to_address'];
      if (plan.kind.name === kind && (receiver === undefined || to === receiver)) {
        isAsked = true;
        await promise;
      }
      return sign();
    };
    const untilHeld = async () => {
      await until(`a ${kind} that is being signed`, async () => isAsked);
      // Other work has transactions of its own, each for a moment.
      const isQuiet = async () => (await world.query(BETWEEN_STATEMENTS)).length === 0;
      // Sooner than the server ends a session for it.
      await until('a moment without a database transaction that waits', isQuiet);
    };
    return { untilHeld, letGo: resolve };
  }
  async function others(): Promise<void> {
    const [own, ofOther] = [await order(true), await order(true, await world.caller())];
    for (const { answer } of [own, ofOther]) expect((await answer).status).toBe(200);
  }
  /** Once nothing is under way: the sum of reservations is counted again with the next reading. */
  async function untilNothingHeld(): Promise<void> {
    await until('nothing held and open', async () => {
      const [{ held, open }] = (await world.query(HELD)) as [{ held: string; open: number }];
      return held === '0' && open === 0;
    });
  }

  it.each([
    ['delegation', true],
    ['activation', false],
  ] as const)('has no database transaction wait for a %s, and no other order', async (kind, active) => {
    const receiver = await world.receiver(active);
    const { untilHeld, letGo } = hold(kind, receiver);
    const answer = world.delegate(caller, { receiver_address: receiver, amount: 1, activate_address: !active });
    await untilHeld();
    expect(await world.query('select 1 from delegations where receiver = $1', [receiver])).toEqual([]);
    await others();
    letGo();
    expect((await answer).status).toBe(200);
  });

  it('has no database transaction wait for a reclaim, and takes the stake back once', async () => {
    const { answer } = await order(true);
    const id = idOf(await answer);
    await world.untilState(id, 'delegated');
    const { untilHeld, letGo } = hold('reclaim');
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 hour' where id = $1 returning 1`, [
      id,
    ]);
    await untilHeld();
    await others();
    letGo();
    await world.untilState(id, 'reclaimed');
    const reclaims = `select 1 from chain_transactions where subject_id = $1 and purpose = 'reclaim'`;
    expect(await world.query(reclaims, [id])).toHaveLength(1);
  });

  const NO: readonly (readonly [string, Answering])[] = [
    ['refuses', () => Promise.reject(new Error('limit_reached'))],
    ['answers another transaction’s signature', async () => 'ab'.repeat(64) + '1b'],
    ['throws', () => { throw new Error('backend'); }], // oxfmt-ignore
  ];
  it.each(NO)('that %s has held nothing, and its order is answered with a failure', async (_what, no) => {
    await untilNothingHeld();
    const reserved = async () => (await world.query(HELD))[0]!['reserved'];
    const before = await reserved();
    for (const [kind, active] of [
      ['delegation', true],
      ['activation', false],
    ] as const) {
      signer.answering = (plan, sign) => (plan.kind.name === kind ? no(plan, sign) : sign());
      const { answer, receiver } = await order(active);
      const refused = await answer;
      expect([refused.status, codeOf(refused)]).toEqual([500, 'INTERNAL']);
      expect(await world.query('select 1 from delegations where receiver = $1', [receiver])).toEqual([]);
    }
    expect([await reserved(), (await world.query(HELD))[0]!['held']]).toEqual([before, '0']);
    signer.answering = (_plan, sign) => sign();
    await others();
  });

  it('that refuses behind an activation has its order answered with a failure, and nothing of it charged or held', async () => {
    const payer = await world.caller({ balance: 50 });
    signer.answering = (plan, sign) =>
      plan.kind.name === 'delegation' ? Promise.reject(new Error('limit_reached')) : sign();
    const { answer, receiver } = await order(false, payer);
    expect((await answer).status).toBe(500);
    const [row] = await world.query('select state, answer from delegations where receiver = $1', [receiver]);
    expect(row).toEqual({ state: 'failed', answer: 'failure' });
    const account = `select balance_sun::text as balance, held_sun::text as held from accounts where user_id = $1`;
    expect(await world.query(account, [payer.id])).toEqual([{ balance: '50000000', held: '0' }]);
  });

  it('that refuses a reclaim has its order wait and say why, and it is taken back later', async () => {
    const { answer } = await order(true);
    const id = idOf(await answer);
    await world.untilState(id, 'delegated');
    signer.answering = (plan, sign) =>
      plan.kind.name === 'reclaim' ? Promise.reject(new Error('limit_reached')) : sign();
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 hour' where id = $1 returning 1`, [
      id,
    ]);
    await until('the refusal noted', async () => (await world.show(id))?.last_error === 'limit_reached');
    const history = await world.app.app.get(OrderHistories).history(id);
    expect(history).toContainEqual(
      expect.objectContaining({ kind: 'reclaim failed', detail: { reason: 'limit_reached' } }),
    );
    expect((await world.show(id))!.state).toBe('delegated');
    signer.answering = (_plan, sign) => sign();
    await world.untilReclaimed(id);
  });

  it.each([
    ['paused', `state = 'paused'`],
    ['given another key', `key_source = 'file:/none'`],
  ])('is asked again for another payer when the one that it signed for is %s meanwhile', async (what, change) => {
    const { address, privateKey } = utils.accounts.generateAccount();
    await world.control('account', {
      address: address.base58,
      type: 'Normal',
      staked_energy_sun: 0,
      balance_sun: 9e14,
    });
    await world.addKey(`rich, ${what}`, address.base58, 'activate', privateKey.toLowerCase());
    await world.untilRow(`select 1 from pool_wallets where name = $1 and balance_sun > 0`, [`rich, ${what}`]);
    const receiver = await world.receiver(false);
    const { untilHeld, letGo } = hold('activation', receiver);
    const answer = world.delegate(caller, { receiver_address: receiver, amount: 1, activate_address: true });
    await untilHeld();
    await world.query(`update pool_wallets set ${change} where name = $1 returning 1`, [`rich, ${what}`]);
    letGo();
    expect((await answer).status).toBe(200);
    const payers = `select w.name from chain_transactions t join pool_wallets w on w.id = t.wallet_id
                     where t.receiver = $1 and t.purpose = 'activation'`;
    expect(await world.query(payers, [receiver])).toEqual([{ name: 'activate' }]);
  });

  it('is asked for nothing by a caller who cannot pay for an activation', async () => {
    const poor = await world.caller({ balance: 3 });
    signer.asked.length = 0;
    const { answer } = await order(false, poor);
    expect(codeOf(await answer)).toBe('INSUFFICIENT_BALANCE');
    expect(signer.asked).toEqual([]);
  });

  it('leaves chain, orders and money in agreement', async () => {
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });
});
