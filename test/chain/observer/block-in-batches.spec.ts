import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';

const ORDERS = 60;
/** Full batches, and some more where one of the five accounts was locked at that moment. */
const FEW = ORDERS / 3;

describe('a block with many orders', () => {
  let world: OrderWorld;
  let ids: string[];
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 'manual', solidLag: 3, env: { ANSWER_TIMEOUT: '280s' } });
    await world.control('block');
  });
  afterAll(() => world.close());

  const poison = (id: string) => `
    create function poison() returns trigger language plpgsql as $$ begin
      if new.delegation_id = '${id}' and new.state = 'taken' then raise exception 'poison'; end if; return new; end $$;
    create trigger poison before update on holds for each row execute function poison()`;
  const execute = async (text: string) => {
    for (const statement of text.split(';\n    ')) await world.query(statement);
  };
  /** Which database transactions have written this last. */
  const transactions = async (text: string) => Number((await world.query(text))[0]!['count']);

  /** Not all at once: on a slow machine the last of them would have no connection of the database in time. */
  async function sendAll(callers: readonly Caller[], receiver: string): Promise<Promise<Answer>[]> {
    const pending: Promise<Answer>[] = [];
    while (pending.length < ORDERS) {
      for (const caller of [...callers, ...callers])
        pending.push(world.delegate(caller, { receiver_address: receiver, amount: 1 }));
      await world.untilPending(pending.length);
    }
    // Else that they were sent would be written meanwhile.
    await world.untilRow(`select 1 from chain_transactions where state = 'sent' having count(*) = ${ORDERS}`);
    return pending;
  }

  it('records them as included in a few database transactions, and settles all but the one that cannot be', async () => {
    const callers = await Promise.all(Array.from({ length: 5 }, () => world.caller()));
    const receiver = await world.receiver();
    const pending = await sendAll(callers, receiver);
    await world.control('block');
    const answers = await Promise.all(pending);
    expect(new Set(answers.map(({ headers }) => headers.get('x-delegation-state')))).toEqual(new Set(['included']));
    ids = answers.map(({ headers }) => headers.get('x-delegation-id')!);
    expect(await transactions(`select count(distinct xmin::text) from chain_transactions`)).toBeLessThan(5);

    await execute(poison(ids[7]!));
    await world.control('block', { count: 4 });
    await world.untilRow(`select 1 from holds where state = 'taken' having count(*) = ${ORDERS - 1}`);
    expect(await world.show(ids[7]!)).toMatchObject({ state: 'included' });
    await world.query(`drop trigger poison on holds`);
    await world.untilState(ids[7]!, 'delegated');
  });

  it('takes the money of all in a few database transactions', async () => {
    const callers = await Promise.all(Array.from({ length: 5 }, () => world.caller()));
    const receiver = await world.receiver();
    const pending = await sendAll(callers, receiver);
    await world.control('block');
    const placed = (await Promise.all(pending)).map(({ headers }) => headers.get('x-delegation-id'));
    await world.control('block', { count: 4 });
    await untilSettled(world.app.sql);
    const list = placed.map((id) => `'${id}'`).join();
    expect(
      await transactions(`select count(distinct xmin::text) from holds where delegation_id in (${list})`),
    ).toBeLessThan(FEW);
    await expectChainTruth(world);
  });
});
