import { Client } from 'pg';
import { BillingService } from '../../../src/billing/billing.service';
import { FirstBroadcast } from '../../../src/chain/transactions/outbox/first-broadcast';
import { WriteWithActivation } from '../../../src/delegation/placing/write-with-activation';
import { HeldLock } from '../../support/held-lock';
import { NodeProxy } from '../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const LOCKED = 80;
const BROADCAST = 'wallet/broadcasttransaction';
const BUSY = JSON.stringify({ code: 'SERVER_BUSY', message: '' });
const ACCOUNTS = 'select 1 from accounts where user_id = any($1::uuid[]) for update';
const ACTIVATION_WALLETS = `select 1 from pool_wallets where role = 'activate' for no key update`;
/** In the server, so that nothing here is too late: ends once an order has waited for longer than a try in the brief lane waits for an account. */
const UNTIL_WAITED_FOR = `do $$ begin
  while not exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                       and query like 'select w.id from pool_wallets w where w.id =%' and query_start < clock_timestamp() - interval '100 ms')
  loop
    perform pg_sleep(0.01), pg_stat_clear_snapshot();
  end loop;
end $$`;
/** Waiting among 20 connections; what is written at once has some more. */
const MOST_WAITING = 8;
const CONNECTIONS = 20;

describe(`${LOCKED} accounts that one open transaction has locked`, () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let others: Caller[];
  beforeAll(async () => {
    world = await OrderWorld.open({
      env: { ANSWER_TIMEOUT: '100s', NODE_CONNECTIONS: '200' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    others = await Promise.all(Array.from({ length: 40 }, () => world.caller({ balance: 100 })));
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    proxy.answers = () => undefined;
  });

  const place = async (caller: Caller, active = true) =>
    world.delegate(caller, { receiver_address: await world.receiver(active), amount: 1, activate_address: !active });
  const locked = () => Promise.all(Array.from({ length: LOCKED }, () => world.caller({ balance: 100 })));
  const lock = (callers: readonly Caller[]) =>
    HeldLock.take(world.database.url, ACCOUNTS, [callers.map(({ id }) => id)]);
  const codes = (answers: readonly Answer[]) => new Set(answers.map(({ headers }) => headers.get('x-error-code')));

  /** One after the other, each a caller of its own. */
  async function expectBalances(): Promise<void> {
    const count = `select count(*)::integer as waiting from pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock'`;
    for (const other of others.splice(0, 10)) {
      expect(await world.get(other, '/api/user/balance')).toMatchObject({ body: { data: { balance: 100 } } });
      const [row] = await world.query(count);
      expect(row!['waiting']).toBeLessThanOrEqual(MOST_WAITING);
    }
  }

  it('while their orders fail: keep no other balance from being read and no other failure from its answer, and all end', async () => {
    let refuse!: () => void;
    const held = new Promise<void>((resolve) => (refuse = resolve));
    const broadcaster = world.app.app.get(FirstBroadcast);
    const broadcast = broadcaster.broadcast.bind(broadcaster);
    // Not held at the node: on a slow machine its answers would be late, and what became of the orders unknown.
    jest.spyOn(broadcaster, 'broadcast').mockImplementation((...given) => held.then(() => broadcast(...given)));
    proxy.answers = ({ route }) => (route === BROADCAST ? BUSY : undefined);
    const callers = await locked();
    const other = others.pop()!;
    const answers = callers.map((caller) => place(caller));
    const answer = place(other);
    await world.untilRow(`select 1 from (select count(*) as orders from delegations) d where orders > ${LOCKED}`);
    const accounts = await lock(callers);
    try {
      refuse();
      // By then their nodes' answers are noted, and each is about to be answered itself.
      await world.untilRow(
        `select 1 from (select count(*) as orders from delegations where state = 'sent') d where orders > ${LOCKED}`,
      );
      await accounts.untilWaiting(2);
      await expectBalances();
      expect((await answer).headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
      const failed = `select count(*)::integer as count from delegations where answer = 'failure'`;
      expect(await world.query(failed)).toEqual([{ count: 1 }]);
    } finally {
      await accounts.release();
    }
    expect(codes(await Promise.all(answers))).toEqual(new Set(['NODE_UNAVAILABLE']));
    const holding = await world.query(`select 1 from accounts where held_sun > 0`);
    expect(holding).toEqual([]);
  });

  it('while their orders activate: keep no other balance from being read and no other activation from being done, and are done or hold nothing', async () => {
    const callers = await locked();
    const other = others.pop()!;
    const accounts = await lock(callers);
    const begun = jest.spyOn(world.app.app.get(WriteWithActivation), 'write');
    let answers: Promise<Answer>[] = [];
    try {
      let answered = 0;
      answers = callers.map((caller) => place(caller, false).finally(() => answered++));
      // On a slow machine one may have its answer before it is to be written.
      await until('all are to be written', async () => begun.mock.calls.length + answered >= LOCKED);
      expect(begun.mock.calls.length).toBeGreaterThan(CONNECTIONS);
      await accounts.untilWaiting(2);
      await expectBalances();
      expect((await place(other, false)).status).toBe(200);
    } finally {
      await accounts.release();
    }
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    // An account that is locked for too long is answered 500.
    const done = statuses.filter((status) => status === 200);
    expect(statuses.filter((status) => status !== 200 && status !== 500)).toEqual([]);
    const written = `select count(*)::integer as count from delegations where user_id = any($1::uuid[])`;
    expect(await world.query(written, [callers.map(({ id }) => id)])).toEqual([{ count: done.length }]);
  });

  it('are waited for more briefly than the wallet that everybody activates with: while that is locked, an order keeps its turn', async () => {
    const caller = others.pop()!;
    const held = jest.spyOn(world.app.app.get(BillingService), 'hold');
    const wallet = new Client(world.database.url);
    await wallet.connect();
    await wallet.query(`begin; set local statement_timeout = '45s'; ${ACTIVATION_WALLETS}`);
    const answer = place(caller, false);
    await wallet.query(`${UNTIL_WAITED_FOR}; commit`);
    await wallet.end();
    expect((await answer).status).toBe(200);
    const tries = held.mock.calls.filter(([, { userId }]) => userId === caller.id);
    expect(tries.length).toBe(1);
  });
});
