import { setTimeout as sleep } from 'node:timers/promises';
import { BillingService } from '../../../src/billing/billing.service';
import { GroupCommit } from '../../../src/database/group-commit';
import { AnswerOrder } from '../../../src/delegation/placing/answer-order';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { DatabaseErrors } from '../../support/database-errors';
import { HeldLock } from '../../support/held-lock';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const LOCK_ACCOUNT = `select 1 from accounts where user_id = $1 for update`;

describe('orders that come at the same moment', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 250, env: { DELEGATION_ANSWER: 'accepted' } });
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  const callers = (count: number, balance = 1000) =>
    Promise.all(Array.from({ length: count }, () => world.caller({ balance })));
  const place = async (caller: Caller, receiver?: string, amount = 1) =>
    world.delegate(caller, { receiver_address: receiver ?? (await world.receiver()), amount });
  const outcome = ({ headers }: Answer) => headers.get('x-error-code') ?? 'success';
  /** The transactions that wrote these orders' rows. */
  const writers = async (answers: Answer[]) => {
    const ids = answers.map(({ headers }) => headers.get('x-delegation-id'));
    const text = `select distinct xmin::text as id from delegation_events where kind = 'ordered' and delegation_id = any($1::uuid[])`;
    return (await world.query(text, [ids])).length;
  };

  /** The first order waits for the wallet until all the others are about to be written, too: then they go out together. */
  async function together(requests: (() => Promise<Answer>)[], inTheirTurn?: () => unknown): Promise<Answer[]> {
    const [first] = await callers(1);
    const lock = await HeldLock.take(world.database.url, `select 1 from pool_wallets where name = 'pool' for update`);
    const writing = jest.spyOn(GroupCommit.prototype, 'run');
    const leading = place(first!);
    await lock.untilWaiting(1);
    const rest = requests.map((request) => request());
    const { contexts } = writing.mock;
    const written = async () => contexts.filter((context) => context === contexts[0]).length;
    await until('all are about to be written', async () => (await written()) === 1 + requests.length);
    writing.mockRestore();
    await lock.release();
    await inTheirTurn?.();
    expect(outcome(await leading)).toBe('success');
    return Promise.all(rest);
  }

  it('are written in one transaction, each with a hold, bytes and an answer of its own', async () => {
    const answers = await together((await callers(12)).map((caller) => () => place(caller)));
    expect(answers.map(outcome)).toEqual(Array(12).fill('success'));
    expect(await writers(answers)).toBeLessThanOrEqual(4);
    expect(new Set(answers.map(({ body }) => body['txid'])).size).toBe(12);
    for (const { headers, body } of answers) {
      const id = headers.get('x-delegation-id')!;
      expect(await world.show(id)).toMatchObject({ answer: 'success', cost_sun: 3_000_000n });
      const bytes = `select tx_id from chain_transactions where subject_id = $1`;
      expect(await world.query(bytes, [id])).toEqual([{ tx_id: body['txid'] }]);
    }
  });

  it('that cannot be paid are refused alone', async () => {
    const [rich, poor] = [await callers(6), await callers(3, 2)];
    const answers = await together([...poor, ...rich].map((caller) => () => place(caller)));
    expect(answers.map(outcome)).toEqual([...Array(3).fill('INSUFFICIENT_BALANCE'), ...Array(6).fill('success')]);
    expect(await writers(answers.slice(3))).toBeLessThanOrEqual(3);
    expect(
      await world.query(`select 1 from holds where user_id = any($1::uuid[])`, [poor.map(({ id }) => id)]),
    ).toEqual([]);
  });

  it('of which one cannot be written: the others are written, and nothing of that one', async () => {
    const [unlucky, ...others] = await callers(6);
    const receiver = await world.receiver();
    await world.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
    );
    await world.query(
      `create trigger refuse before insert on delegations for each row when (new.receiver = '${receiver}') execute function refuse()`,
    );
    const answers = await together([() => place(unlucky!, receiver), ...others.map((caller) => () => place(caller))]);
    await world.query(`drop trigger refuse on delegations`);
    await world.query(`drop function refuse()`);
    expect(answers.map(outcome)).toEqual(['INTERNAL', ...Array(5).fill('success')]);
    for (const table of ['holds', 'delegations']) {
      expect(await world.query(`select 1 from ${table} where user_id = $1`, [unlucky!.id])).toEqual([]);
    }
    expect(await world.query(`select held_sun from accounts where user_id = $1`, [unlucky!.id])).toEqual([
      { held_sun: 0n },
    ]);
  });

  it('of which one does not fit into the wallet any more: that one is refused, without an error of the database', async () => {
    const errors = new DatabaseErrors(world.app);
    const [one, two, three, ...others] = await callers(9, 10_000);
    // Each of the large ones fits, and two of them with all others, but not three.
    const receiver = await world.receiver();
    const large = [one, two, three].map((caller) => () => place(caller!, receiver, 600));
    const answers = await together([...large, ...others.map((caller) => () => place(caller, receiver))]);
    expect(await writers(answers.filter((answer) => outcome(answer) === 'success'))).toBeLessThanOrEqual(3);
    const refused = answers.filter((answer) => outcome(answer) !== 'success');
    expect(refused.map(outcome)).toEqual(['INSUFFICIENT_ENERGY']);
    expect(answers.indexOf(refused[0]!)).toBeLessThan(3);
    expect(errors.messages).toEqual([]);
    const ordered = `select 1 from holds where user_id = any($1::uuid[])`;
    expect(await world.query(ordered, [[one, two, three].map((caller) => caller!.id)])).toHaveLength(2);
  });

  it('wait for no account but their own', async () => {
    const [busy, ...others] = await callers(6);
    const lock = await HeldLock.take(world.database.url, LOCK_ACCOUNT, [busy!.id]);
    const waiting = [place(busy!), place(busy!)];
    await lock.untilWaiting(1);
    const answers = await Promise.all(others.flatMap((caller) => [place(caller), place(caller)]));
    expect(answers.map(outcome)).toEqual(Array(10).fill('success'));
    await lock.release();
    expect((await Promise.all(waiting)).map(outcome)).toEqual(['success', 'success']);
  });

  it('are paid by what quota is left when their turn comes, each by its own', async () => {
    const payers = await Promise.all(Array.from({ length: 3 }, () => world.caller({ balance: 100, subscription: 2 })));
    const [exhausted, lessened] = payers;
    const lock = await HeldLock.take(
      world.database.url,
      `update subscriptions set used_energy = case when user_id = $1 then quota_energy else 65000 end where user_id in ($1, $2)`,
      [exhausted!.id, lessened!.id],
    );
    const answers = await together(
      payers.map((caller) => () => place(caller)),
      () => lock.release(),
    );
    expect(answers.map(outcome)).toEqual(Array(3).fill('success'));
    const paid = await Promise.all(answers.map(({ headers }) => world.show(headers.get('x-delegation-id')!)));
    expect(paid.map((order) => [order!.paid_by, order!.cost_sun])).toEqual([
      ['balance', 3_000_000n],
      ['subscription', 0n],
      ['subscription', 0n],
    ]);
    // What no hold had used is given back, for the audit.
    await world.query(
      `update subscriptions set used_energy = used_energy - case when user_id = $1 then quota_energy else 65000 end where user_id in ($1, $2)`,
      [exhausted!.id, lessened!.id],
    );
  });

  it('close no circle with the settling of others, by quota or by balance', async () => {
    const quota = await world.caller({ balance: 100, subscription: 100 });
    const balance = await world.caller({ balance: 100 });
    const [first, second] = await Promise.all([place(quota), place(balance)]);
    const billing = world.app.app.get(BillingService);
    const idOf = ({ headers }: Answer) => headers.get('x-delegation-id')!;
    let begin!: () => void;
    let goOn!: () => void;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const theirTurn = new Promise<void>((resolve) => (goOn = resolve));
    // As the follower does: one transaction takes for many users, one after the other; its rollback leaves the orders to it.
    const settled = world.app.sql
      .transaction(async (tx) => {
        await billing.take(tx, idOf(first));
        begin();
        await theirTurn;
        await billing.take(tx, idOf(second));
        throw new Error('enough');
      })
      .catch((error: Error) => error.message);
    await begun;
    const answers = await together([() => place(quota), () => place(balance)], goOn);
    expect(await settled).toBe('enough');
    expect(answers.map(outcome)).toEqual(['success', 'success']);
  });
});

describe('answers that are committed at the same moment', () => {
  let world: OrderWorld;
  let ids: string[];
  let lock: HeldLock;
  let placed: Promise<Answer>[];
  beforeEach(async () => {
    world = await OrderWorld.open({ block: 'manual', env: { ANSWER_TIMEOUT: '60s' } });
    await world.control('block');
    const place = async () =>
      world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 });
    placed = [place(), place(), place()];
    await world.untilPending(3);
    const sent = `select count(*) as orders from delegations where state = 'sent'`;
    await until('all are noted as sent', async () => (await world.query(sent))[0]!['orders'] === 3n);
    ids = (await world.query(`select id from delegations order by id`)).map(({ id }) => String(id));
    lock = await HeldLock.take(world.database.url, `select 1 from delegations where id = $1 for update`, [ids[0]]);
  });
  afterEach(async () => {
    await world.control('block');
    await Promise.all(placed);
    await world.close();
  });

  const answer = (id: string) => world.app.app.get(AnswerOrder).success({ id, epoch: 0 }, 'included');

  it('wait for no locked order but their own', async () => {
    const [locked, ...others] = ids;
    const waiting = answer(locked!);
    await lock.untilWaiting(1);
    const since = `select xact_start::text from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const first = await world.query(since);
    for (const id of others) expect(await answer(id)).toMatchObject({ delegationId: id });
    // Still in its first attempt.
    expect(await world.query(since)).toEqual(first);
    await lock.release();
    expect(await waiting).toMatchObject({ delegationId: locked });
  });

  it('and in one transaction with a locked order, wait half a second for it, and not the five of a lock time-out', async () => {
    const [waiting, ...others] = ids.map(answer);
    const patience = sleep(3_000).then(() => 'waited');
    expect(await Promise.race([Promise.all(others), patience])).toMatchObject([
      { delegationId: ids[1] },
      { delegationId: ids[2] },
    ]);
    await lock.release();
    expect(await waiting).toMatchObject({ delegationId: ids[0] });
  });
});
