import { NodeProxy } from '../support/node-proxy';
import { countOf } from '../support/bar';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { type Caller, OrderWorld } from '../support/order-world';
import { ServiceChild } from '../support/service-child';
import { until } from '../support/until';

/** In a run of the bars the lease of half a minute runs out by itself. */
const RUNS_OUT = countOf(1, 0) > 0;
const LEASE_MS = 30_000;
const STOPPED = 'stopped';
/** So many a sweep signs and sends at once, of what it has claimed; the others it has only claimed. */
const IN_HAND = 5;
const LENT = 8;
/** Every try to write what becomes of a claim, signed or failed or put off, also one that finds the claim gone. */
const LOG_TRIES = [
  `create table tries (claimant text not null default current_setting('application_name'))`,
  `create function log_try() returns trigger language plpgsql as $$
   begin
     insert into tries default values;
     return null;
   end $$`,
  `create trigger log_try before update of shortage_sun, next_attempt_at on delegations for each statement execute function log_try()`,
];
/** Nothing of an order and its transactions but when they were last sent. */
const ROWS = `select to_jsonb(d) as row from delegations d union all
  select to_jsonb(t) - 'last_sent_at' from chain_transactions t order by 1`;

const BROADCAST = 'wallet/broadcasttransaction';

describe('several instances', () => {
  it('one stopped past its lease and continued: its late writes change nothing', async () => {
    let proxy!: NodeProxy;
    const world = await OrderWorld.open({
      block: 'manual',
      env: { ANSWER_TIMEOUT: '1s' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    await world.control('block');
    const caller = await world.caller({ balance: 3 });
    const child = await world.startProcess();
    let goOn!: () => void;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    proxy.after = async (call, answer) => {
      if (call.route === BROADCAST) await held;
      return answer;
    };
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const key = { 'idempotency-key': 'stopped' };
    const first = world.delegate(caller, body, key, child);
    await world.untilPending();
    child.process.kill('SIGSTOP');

    await world.query(`update delegations set claimed_until = now() - interval '1 second' returning id`);
    const unanswered = await world.delegate(caller, body, key);
    expect(unanswered.headers.get('x-error-code')).toBe('OUTCOME_UNKNOWN');
    const before = await world.query(`select answer, answer_code, answered_at, epoch from delegations`);
    expect(before).toMatchObject([{ answer: 'failure', epoch: 1 }]);

    goOn();
    child.process.kill('SIGCONT');
    const late = await first;
    expect([late.status, late.text, late.headers.get('x-delegation-id')]).toEqual([
      unanswered.status,
      unanswered.text,
      unanswered.headers.get('x-delegation-id'),
    ]);
    expect(await world.query(`select answer, answer_code, answered_at, epoch from delegations`)).toEqual(before);

    // It had been sent: it lands, is not charged, and comes back.
    const id = unanswered.headers.get('x-delegation-id')!;
    await world.control('block', { count: 6 });
    await world.untilState(id, 'taking_back');
    await world.untilPending();
    await world.control('block', { count: 6 });
    await world.untilState(id, 'taken_back');
    await expectChainTruth(world);
    await world.close();
    await proxy.close();
  });

  it('a sweeper stopped past its lease and continued: another takes back what it had claimed, and it signs and changes nothing more', async () => {
    const world = await OrderWorld.open({
      block: 250,
      backgroundWork: false,
      env: { RECLAIM_DELAY: '1h', RECLAIM_SWEEP: '250ms' },
    });
    const follower = await world.startInstance();
    const receiver = await world.receiver();
    const callers = await Promise.all(Array.from({ length: LENT }, () => world.caller()));
    const wanted = { receiver_address: receiver, amount: 1 };
    // On a busy machine blocks may come faster than wallets are read, and an order is refused.
    const lend = (caller: Caller) =>
      until('lent', async () => (await world.delegate(caller, wanted, { 'idempotency-key': 'lent' })).status === 200);
    await Promise.all(callers.map(lend));
    await untilSettled(world.app.sql);
    await world.stopInstance(follower);
    for (const text of LOG_TRIES) await world.query(text);
    const tries = async () => (await world.query('select 1 from tries where claimant = $1', [STOPPED])).length;

    const proxy = new NodeProxy(world.chain.url);
    let goOn!: () => void;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const sent = new Set<unknown>();
    proxy.before = async ({ route, body }) => {
      if (route !== BROADCAST) return;
      sent.add(body['txID']);
      await held;
    };
    const databaseUrl = new URL(world.database.url);
    databaseUrl.searchParams.set('application_name', STOPPED);
    const stopped = new ServiceChild({
      TRON_FULL_NODE_URLS: await proxy.open(),
      DATABASE_URL: databaseUrl.href,
      RECLAIM_SWEEP: '250ms',
    });
    await stopped.ready();
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 day' returning id`);
    await until('reclaims in hand', async () => sent.size >= IN_HAND);
    stopped.process.kill('SIGSTOP');
    const claimed = await world.query(
      `select state, epoch from delegations where claimed_until > now() order by state`,
    );
    const inHand = Array.from({ length: IN_HAND }, () => 'reclaiming');
    const only = Array.from({ length: LENT - IN_HAND }, () => 'delegated');
    expect(claimed.map(({ state }) => state)).toEqual([...only, ...inHand]);

    if (!RUNS_OUT) await world.query(`update delegations set claimed_until = now() - interval '1 second' returning id`);
    await world.startProcess();
    const allBack = `select 1 from delegations having count(*) filter (where state = 'reclaimed') = ${LENT}`;
    await until('all are back', async () => (await world.query(allBack)).length > 0, 45_000 + LEASE_MS);
    await untilSettled(world.app.sql);
    const [before, triedBefore] = [await world.query(ROWS), await tries()];
    expect(triedBefore).toBe(IN_HAND);

    stopped.process.kill('SIGCONT');
    goOn();
    await until('it has gone on with what it had claimed', async () => (await tries()) >= LENT);
    // It is at the end of that sweep when it has begun another.
    const swept = () => proxy.count('wallet/getblock') + proxy.count('wallet/getnowblock');
    const sweptBefore = swept();
    await until('it has gone on beyond that', async () => swept() > sweptBefore + 3);
    expect(await world.query(ROWS)).toEqual(before);
    // The same bytes again, perhaps; no others.
    expect(sent.size).toBe(IN_HAND);
    const reclaims = await world.query(`select subject_id from chain_transactions where purpose = 'reclaim'`);
    expect(new Set(reclaims.map((row) => row['subject_id'])).size).toBe(LENT);
    expect(reclaims).toHaveLength(LENT);
    await expectChainTruth(world);
    await stopped.stop('SIGKILL');
    await world.close();
    await proxy.close();
  });
});
