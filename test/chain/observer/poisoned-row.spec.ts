import { isDeepStrictEqual } from 'node:util';
import { ChainWork } from '../../../src/chain/observer/chain-work';
import { TransactionOutcomes } from '../../../src/chain/observer/transaction-outcomes';
import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { AbandonedOrders } from '../../../src/delegation/placing/abandoned-orders';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

/** What any defect of one order's rows comes to: the change that is due to them fails, every time. */
const POISON = `
  create table poison (id uuid, state text);
  create function refuse_poisoned() returns trigger language plpgsql as $$
  begin
    if new.state <> old.state and exists (select from poison p where p.id = new.id and p.state = new.state) then
      raise exception 'poisoned';
    end if;
    return new;
  end $$;
  create trigger poisoned before update on delegations for each row execute function refuse_poisoned()`;

describe('one poisoned row never delays another', () => {
  let world: OrderWorld;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 'manual', solidLag: 4, env: { ANSWER_TIMEOUT: '20s' } });
    await run(POISON);
    caller = await world.caller();
    await world.control('block');
  });
  afterAll(() => world.close());

  const run = (sql: string) => world.app.orm.em.fork().execute(sql);
  const poison = (id: string, state: string) => run(`insert into poison values ('${id}', '${state}')`);
  const cure = () => run('delete from poison');

  /** Two orders in one block; the first is poisoned. */
  async function twoIncluded(state: string): Promise<{ bad: string; good: string; height: number }> {
    const receivers = [await world.receiver(), await world.receiver()];
    const answers = receivers.map((receiver) => world.delegate(caller, { receiver_address: receiver, amount: 1 }));
    await world.untilPending(2);
    await world.control('block');
    const [bad, good] = (await Promise.all(answers)).map(({ headers }) => headers.get('x-delegation-id')!);
    await poison(bad!, state);
    const { block_header: header } = (await world.node('wallet/getnowblock')) as {
      block_header: { raw_data: { number: number } };
    };
    return { bad: bad!, good: good!, height: header.raw_data.number };
  }
  async function settled(): Promise<void> {
    await cure();
    await world.control('block', { count: 6 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  }

  it('when it cannot be settled in a solid block', async () => {
    const { bad, good } = await twoIncluded('delegated');
    await world.control('block', { count: 5 });
    await world.untilState(good, 'delegated');
    expect(await world.show(bad)).toMatchObject({ state: 'included' });
    const later = await twoIncluded('nothing');
    await world.control('block', { count: 5 });
    await Promise.all([later.bad, later.good].map((id) => world.untilState(id, 'delegated')));
    await cure();
    await world.untilState(bad, 'delegated');
    await settled();
  });

  it('when it cannot be noted that a fork dropped it', async () => {
    const { bad, good, height } = await twoIncluded('sent');
    await world.control('fork', { from: height, keep: [] });
    await world.control('block', { count: 2 });
    await world.untilState(good, 'sent');
    await world.untilPending(1);
    await world.control('block');
    await world.untilState(good, 'included');
    expect(await world.show(bad)).toMatchObject({ state: 'included' });
    await cure();
    await world.untilState(bad, 'sent');
    await world.untilPending(1);
    await settled();
  });

  it('when it is dead and that cannot be recorded', async () => {
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'busy', count: 1000 });
    const answers = await Promise.all(
      [1, 2].map(async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 })),
    );
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'none' });
    const [bad, good] = answers.map(({ headers }) => headers.get('x-delegation-id')!);
    await poison(bad!, 'failed');
    await world.control('clock', { ms: 61_000 });
    await world.control('block', { count: 6 });
    await world.untilState(good!, 'failed');
    expect((await world.show(bad!))!.state).not.toBe('failed');
    await cure();
    await world.control('block');
    await world.untilState(bad!, 'failed');
    await settled();
  });

  it('when it was abandoned and cannot be closed', async () => {
    const rows = await world.query(
      `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun,
         cost_sun, paid_by, claimed_until, created_at)
       select gen_random_uuid(), $1, 'T', '1', 65000, 10, true, 'activating', (select id from pool_wallets where name = 'pool'), 1,
         0, 'balance', now() + interval '50 minutes', now() - n * interval '1 minute' from generate_series(1, 3) n
       returning id`,
      [caller.id],
    );
    const ids = rows.map(({ id }) => String(id));
    for (const id of ids)
      await run(`insert into holds (delegation_id, user_id, amount_sun) values ('${id}', '${caller.id}', 0)`);
    // The oldest.
    await poison(ids[2]!, 'failed');
    await world.query(
      `update delegations set claimed_until = now() - interval '1 second' where id = any($1) returning 1`,
      [ids],
    );
    const recovered = async (states: string[]) => {
      await world.app.app.get(AbandonedOrders).recover();
      const seen = await Promise.all(ids.map(async (id) => (await world.show(id))!.state));
      return isDeepStrictEqual(seen, states);
    };
    await until('the others closed', () => recovered(['failed', 'failed', 'activating']));
    await cure();
    await until('all closed', () => recovered(['failed', 'failed', 'failed']));
    await settled();
  });

  it('nor keeps an instance that cannot record it busy once another one has', async () => {
    const { app } = await world.startInstance({}, false);
    const [chain, work] = [app.get(VerifiedChain), app.get(ChainWork)];
    jest
      .spyOn(app.get(TransactionOutcomes), 'included')
      .mockImplementation(async (rows) => rows.map((row) => ({ row, error: new Error('poisoned here') })));
    const isFinished = async () => {
      await chain.look(true);
      return work.advance(chain.headers!, new AbortController().signal);
    };
    await isFinished();
    const answer = world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await world.untilPending();
    await world.control('block');
    expect(await isFinished()).toBe(false);
    await answer;
    await settled();
    await until('nothing left to do', isFinished);
  });
});
