import { TransactionSigner } from '../../../src/chain/transactions/signing/transaction-signer';
import { ReferenceBlocks } from '../../../src/chain/verified-chain/reference-blocks';
import { Reconciler } from '../../../src/reconciliation/reconciler';
import { MetricsEndpoint } from '../../../src/telemetry/metrics/metrics.endpoint';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { NodeProxy } from '../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const BROADCAST = 'wallet/broadcasttransaction';
const UNAVAILABLE = 'ACTIVATION_UNAVAILABLE';
const BUSY = JSON.stringify({ code: 'SERVER_BUSY', message: '' });
const TOO_BIG = JSON.stringify({ code: 'TOO_BIG_TRANSACTION_ERROR', message: Buffer.from('too big').toString('hex') });
const DAY_MS = 86_400_000;

describe('activations that no user pays for, because their orders were answered with a failure', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let instances: TestApp[];
  let caller: Caller;
  /** What the node takes of delegations, which come behind their activations. */
  let delegationsFail = false;
  /** And of activations: none of them reaches the chain. */
  let activationsFail = false;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      env: { ANSWER_TIMEOUT: '20s', METRICS_PORT: '0' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    instances = [world.app, await world.startInstance()];
    proxy.answers = ({ route, body }) => {
      if (route !== BROADCAST) return undefined;
      if (contractOf(body) === 'DelegateResourceContract') return delegationsFail ? TOO_BIG : undefined;
      return activationsFail ? BUSY : undefined;
    };
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  beforeEach(async () => (caller = await world.caller({ balance: 1000 })));
  /** Until the instances have seen the chain's new time: what is signed on the old one has expired. */
  async function moveOn(ms: number): Promise<void> {
    const references = instances.map(({ app }) => app.get(ReferenceBlocks));
    const newest = () => references.map((of) => of.lastHead()!.timeMs);
    const before = Math.max(...newest());
    await world.control('clock', { ms });
    await until('a block of then', async () => newest().every((timeMs) => timeMs >= before + ms));
    // The first block alone could be one that its witness has signed ahead of time.
    await until('a second block', async () => {
      const signable = await Promise.allSettled(references.map((of) => of.final()));
      return signable.every(({ status }) => status === 'fulfilled');
    });
  }
  afterEach(async () => {
    [delegationsFail, activationsFail] = [false, false];
    await moveOn(61_000);
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  const order = async (by = caller, receiver?: string, app: TestApp = world.app) =>
    world.delegate(
      by,
      { receiver_address: receiver ?? (await world.receiver(false)), amount: 1, activate_address: true },
      {},
      app,
    );
  const many = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, at) => order(caller, undefined, instances[at % 2])));
  const code = ({ headers }: Answer) => headers.get('x-error-code') ?? 'success';
  async function provoke(count: number): Promise<void> {
    delegationsFail = true;
    for (let free = 0; free < count; free++) expect(code(await order())).toBe('INTERNAL');
    delegationsFail = false;
  }
  const activations = (by: Caller) =>
    world.query(
      `select 1 from chain_transactions t join delegations d on d.id = t.subject_id
        where t.purpose = 'activation' and t.state <> 'dead' and d.user_id = $1`,
      [by.id],
    );
  const reconcile = async () => {
    await world.app.app.get(Reconciler).run('changed');
    return world.query(`select subject, resolved_at is null as open from findings where kind = 'free_activations'`);
  };

  it('are three a day and account; others, and what needs no activation of its own, go on', async () => {
    await provoke(3);
    const signed = jest.spyOn(world.app.app.get(TransactionSigner), 'sign');
    const refused = await order();
    // A signer may have limits of its own, which all accounts share.
    expect(signed.mock.calls).toEqual([]);
    signed.mockRestore();
    expect([refused.status, code(refused), refused.headers.get('x-delegation-id')]).toEqual([500, UNAVAILABLE, null]);
    expect(code(await order(caller, undefined, instances[1]))).toBe(UNAVAILABLE);
    expect(await activations(caller)).toHaveLength(3);
    expect((await world.get(caller, '/api/user/balance')).body).toMatchObject({ data: { balance: 1000 } });

    const other = await world.caller({ balance: 100 });
    const receiver = await world.receiver(false);
    const paying = order(other, receiver);
    await world.untilRow(`select 1 from chain_transactions where receiver = $1`, [receiver]);
    const active = { receiver_address: await world.receiver(), amount: 1 };
    const goOn = await Promise.all([paying, order(caller, receiver), world.delegate(caller, active)]);
    expect(goOn.map(code)).toEqual(['success', 'success', 'success']);
  });

  it('are a finding and a metric until the oldest is a day old by block time', async () => {
    await provoke(2);
    const subject = `user ${caller.id}`;
    expect(await reconcile()).not.toContainEqual({ subject, open: true });
    await provoke(1);
    expect(await reconcile()).toContainEqual({ subject, open: true });
    const metrics = async () => (await fetch(world.app.app.get(MetricsEndpoint).url!)).text();
    await until('the metric', async () => /^energy_accounts_without_activations [12]$/m.test(await metrics()));
    expect(await metrics()).toMatch(/^energy_free_activations [3-6]$/m);

    await moveOn(DAY_MS - 120_000);
    expect(code(await order())).toBe(UNAVAILABLE);
    await moveOn(180_000);
    expect(code(await order())).toBe('success');
    expect(await reconcile()).toContainEqual({ subject, open: false });
  });

  it('cannot be had by a burst once there is one, on several instances', async () => {
    await provoke(1);
    delegationsFail = true;
    const codes = (await many(10)).map(code);
    delegationsFail = false;
    expect(codes.toSorted()).toEqual([...Array(8).fill(UNAVAILABLE), ...Array(2).fill('INTERNAL')]);
    expect(await activations(caller)).toHaveLength(3);
  });

  it('are none of those that never landed: they count until that is proved, and no longer', async () => {
    activationsFail = true;
    for (let lost = 0; lost < 3; lost++) expect(code(await order())).toBe('NODE_UNAVAILABLE');
    expect(code(await order())).toBe(UNAVAILABLE);
    await moveOn(61_000);
    await until('all are dead', async () => (await activations(caller)).length === 0);
    activationsFail = false;
    expect(code(await order())).toBe('success');
  });

  it('are not made by orders that went unanswered and are over', async () => {
    await provoke(3);
    await moveOn(61_000);
    await untilSettled(world.app.sql);
    expect(code(await order())).toBe(UNAVAILABLE);
    const unanswered = await world.query(
      `update delegations set answer = 'none', answer_code = null, answered_at = null
        where id in (select id from delegations where user_id = $1 and state = 'failed' limit 2) returning id`,
      [caller.id],
    );
    expect(unanswered).toHaveLength(2);
    expect(code(await order())).toBe('success');
  });

  it('are not made by a crash of ours: neither once its order is answered, nor before', async () => {
    const killed = await world.startProcess({ CRASH_AT: 'before-signing-after-activation' });
    const [answered, open] = [await world.receiver(false), await world.receiver(false)];
    const body = (receiver: string) => ({ receiver_address: receiver, amount: 1, activate_address: true });
    const key = { 'idempotency-key': 'killed' };
    const placing = [
      world.delegate(caller, body(answered), key, killed),
      world.delegate(caller, body(open), {}, killed),
    ];
    expect((await Promise.allSettled(placing)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    // The claims of a dead process run out by themselves.
    const lapsed = `update delegations set claimed_until = clock_timestamp() - interval '1 second' where receiver = any($1) returning id`;
    expect(await world.query(lapsed, [[answered, open]])).toHaveLength(2);
    expect(code(await world.delegate(caller, body(answered), key))).toBe('INTERNAL');
    const landed = `select 1 from chain_transactions where receiver = any($1) and purpose = 'activation' and state in ('included', 'final')`;
    await until('both are activated', async () => (await world.query(landed, [[answered, open]])).length === 2);
    await provoke(1);
    expect((await many(2)).map(code)).toEqual(['success', 'success']);
    await provoke(2);
    expect(code(await order())).toBe(UNAVAILABLE);
  });

  it('are no limit to an account that has none: its activations go through in parallel', async () => {
    expect((await many(10)).map(code)).toEqual(Array(10).fill('success'));
  });
});

function contractOf(body: Record<string, unknown>): string | undefined {
  return (body['raw_data'] as { contract: { type: string }[] }).contract[0]?.type;
}
