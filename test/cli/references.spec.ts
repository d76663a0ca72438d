import { type LocalChain, startLocalChain } from '../../local-chain/src/local-chain';
import { type CommitEnd, DatabaseProxy } from '../support/database-proxy';
import { Money } from '../support/money';
import { SharedCommandLine } from '../support/shared-command-line';

const CREDIT = ['balance:credit', '--amount', '100', '--note', 'invoice 9'];
const DEBIT = ['balance:debit', '--amount', '1', '--note', 'invoice 9'];
const QUOTA = ['subscription:create', '--transactions', '10', '--days', '5'];
const SOLD = [...QUOTA, '--price', '7.5', '--from-balance'];
const MADE = /^made [0-9a-f-]{36}$/;

describe('commands that give and take money and quota', () => {
  let chain: LocalChain;
  let money: Money;
  let proxy: DatabaseProxy;
  let cli: SharedCommandLine;
  let user: string;
  let users = 0;
  beforeAll(async () => {
    [chain, money] = await Promise.all([startLocalChain({ block: 1_000 }), Money.open()]);
    proxy = new DatabaseProxy(money.databaseUrl);
    cli = SharedCommandLine.on(await proxy.open(), { TRON_FULL_NODE_URLS: chain.url });
  });
  afterAll(async () => {
    await cli.close();
    await proxy.close();
    await money.close();
    await chain.close();
  });
  beforeEach(async () => {
    proxy.endOfCommit = () => 'passes';
    user = `customer-${++users}@example.com`;
    await money.run(`update users set email = $2 where id = $1`, [await money.payer(10_000_000n), user]);
  });

  const run = (command: readonly string[], ...more: string[]) => cli.run(...command, '--user', user, ...more);
  const json = async (command: readonly string[], ...more: string[]) =>
    JSON.parse((await run(command, ...more, '--json')).stdout) as Record<string, unknown>;
  /** Movements after the first credit, and subscriptions. */
  const booked = async () => {
    const text = `select (select count(*) from ledger_entries e where e.user_id = u.id)::integer - 1 as movements,
                         (select count(*) from subscriptions s where s.user_id = u.id)::integer as subscriptions
                    from users u where email = '${user}'`;
    return (await money.sql.row<{ movements: number; subscriptions: number }>({ name: '', text }))!;
  };
  /** Breaks the commit that has the movement or the subscription in it, once. */
  const end = (how: CommitEnd) => {
    let left = 1;
    proxy.endOfCommit = (statements) =>
      statements.some((name) => ['ledger_move', 'subscription_create'].includes(name)) && left-- > 0 ? how : 'passes';
  };

  it.each([
    ['balance:credit', CREDIT, { movements: 1, subscriptions: 0 }],
    ['balance:debit', DEBIT, { movements: 1, subscriptions: 0 }],
    ['subscription:create', QUOTA, { movements: 0, subscriptions: 1 }],
    ['subscription:create with a price', SOLD, { movements: 1, subscriptions: 1 }],
  ])('%s says that it was done when its commit is not acknowledged, and does it once', async (_, command, once) => {
    end('is not acknowledged');
    const { exitCode, stderr, stdout } = await run(command, '--json');
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('but the change was made, once')]);
    expect(await booked()).toEqual(once);
    const { reference } = JSON.parse(stdout) as { reference?: string };
    if (command !== DEBIT) expect(reference).toMatch(MADE);
    const again = await run(command, '--reference', /"(made [^"]+)"/.exec(stderr)![1]!);
    expect([again.exitCode, again.stderr]).toEqual([
      0,
      expect.stringMatching(/^Warning: this (reference|subscription) was already/),
    ]);
    expect(await booked()).toEqual(once);
  });

  it.each([
    ['balance:credit', CREDIT],
    ['balance:debit', DEBIT],
    ['subscription:create', QUOTA],
    ['subscription:create with a price', SOLD],
  ])('%s says that nothing was done when its commit never arrives', async (_, command) => {
    end('is lost');
    const { exitCode, stderr, stdout } = await run(command, '--json');
    expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringContaining('broke and nothing was done')]);
    expect(await booked()).toEqual({ movements: 0, subscriptions: 0 });
    const done = await run(command, '--reference', /"(made [^"]+)"/.exec(stderr)![1]!.replace(/\\/g, ''));
    expect(done.exitCode).toBe(0);
    const { movements, subscriptions } = await booked();
    expect(movements + subscriptions).toBe(command === SOLD ? 2 : 1);
  });

  it('print the reference that they made, and not one that was given', async () => {
    expect(await json(CREDIT)).toEqual({ balance: '110.000000', reference: expect.stringMatching(MADE) as string });
    expect(await json(CREDIT, '--reference', 'inv-1')).toEqual({ balance: '210.000000' });
    expect(await json(QUOTA)).toMatchObject({ reference: expect.stringMatching(MADE) as string });
    expect((await run(CREDIT)).stdout).toMatch(/made [0-9a-f-]{36}/);
  });

  it.each(['inv-9 ', ' inv-9', 'inv-9\r', '\tinv-9\n'])('take %j for the reference inv-9', async (reference) => {
    await json(CREDIT, '--reference', 'inv-9');
    await json(QUOTA, '--reference', 'inv-9');
    for (const command of [CREDIT, QUOTA]) {
      const { exitCode, stderr } = await run(command, '--reference', reference);
      expect([exitCode, stderr]).toEqual([
        0,
        expect.stringMatching(/^Warning: this (reference|subscription) was already/),
      ]);
    }
    expect(await booked()).toEqual({ movements: 1, subscriptions: 1 });
  });

  it('refuse a reference that was used for another subscription', async () => {
    const { id } = await json(QUOTA, '--reference', 'inv-9');
    expect(await json(QUOTA, '--reference', 'inv-9')).toMatchObject({ id, reference: 'inv-9' });
    for (const other of [
      ['--transactions', '11', '--days', '5'],
      ['--transactions', '10', '--days', '6'],
    ]) {
      const { exitCode, stderr } = await run(['subscription:create', ...other], '--reference', 'inv-9');
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringContaining('"inv-9" was already used for another subscription'),
      ]);
    }
    expect(await booked()).toEqual({ movements: 0, subscriptions: 1 });
  });

  it.each([
    [['--price', '5'], '--price needs --from-balance, or a --reference'],
    [['--from-balance'], '--from-balance needs --price'],
    [['--price', '0', '--from-balance'], '--price must be above 0'],
    [['--price', '-1', '--reference', 'inv-9'], '--price must be a decimal'],
  ])('refuse a subscription with %j as wrong usage', async (options, reason) => {
    const { exitCode, stderr } = await run(QUOTA, ...options);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
    expect(await booked()).toEqual({ movements: 0, subscriptions: 0 });
  });

  it('sell quota for a payment outside of the balance, or from what can be spent, and say what is too much', async () => {
    expect(await json(QUOTA, '--price', '50', '--reference', 'inv-1')).toMatchObject({
      price: '50.000000',
      paid_by: 'reference',
      reference: 'inv-1',
    });
    expect(await json(SOLD)).toMatchObject({ price: '7.500000', paid_by: 'balance' });
    const { exitCode, stderr } = await run(SOLD);
    expect([exitCode, stderr]).toEqual([1, 'insufficient balance for the price of 7.500000: nothing was added\n']);
    expect(await booked()).toEqual({ movements: 3, subscriptions: 2 });
    const { stdout } = await cli.run('balance:show', '--user', user, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ balance: '2.500000' });
  });

  it('warn of a reference that another customer has', async () => {
    await json(CREDIT, '--reference', 'inv-77');
    await json(QUOTA, '--reference', 'inv-78');
    const first = user;
    user = `customer-${++users}@example.com`;
    await money.run(`update users set email = $2 where id = $1`, [await money.payer(), user]);
    for (const [command, reference] of [
      [CREDIT, 'inv-77'],
      [QUOTA, 'inv-78'],
    ] as const) {
      const { exitCode, stderr } = await run(command, '--reference', reference);
      expect([exitCode, stderr]).toEqual([
        0,
        `Warning: another customer also has the reference "${reference}": ${first}\n`,
      ]);
    }
  });
});
