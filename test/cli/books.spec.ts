import { join } from 'node:path';
import { type LocalChain, startLocalChain } from '../../local-chain/src/local-chain';
import { breaksTheLedger } from '../support/ledger-consistency';
import { Money, TRX } from '../support/money';
import { runProgram } from '../support/program';
import { SharedCommandLine } from '../support/shared-command-line';

// The large ledger is made of rows by the hundred thousand, for their number alone.
breaksTheLedger();

const ROOT = join(__dirname, '..', '..');
const TODAY = new Date().toISOString().slice(0, 10);
const RANGE = ['--from', TODAY, '--to', TODAY];
const LARGE = 150_000;
/** The libraries take nearly all of it: what a ledger of this size takes does not fit in. */
const HEAP_MB = 128;

describe('commands of the books', () => {
  let chain: LocalChain;
  let money: Money;
  let cli: SharedCommandLine;
  let userId: string;
  beforeAll(async () => {
    [chain, money] = await Promise.all([startLocalChain({ block: 1_000 }), Money.open()]);
    cli = SharedCommandLine.on(money.databaseUrl, { TRON_FULL_NODE_URLS: chain.url });
    userId = await money.payer();
    await money.run(`update users set email = 'ann@example.com' where id = $1`, [userId]);
    await money.ledger.credit({
      userId,
      amountSun: 12n * TRX,
      note: 'a "quoted" note,\nof two lines',
      reference: 'inv-1',
    });
    await money.ledger.debit({ userId, amountSun: 2n * TRX + 1n, note: '' });
  });
  afterAll(async () => {
    await cli.close();
    await money.close();
    await chain.close();
  });

  it.each([
    ['books:trial-balance', ['--from', '2026-02-30', '--to', TODAY], '--from must be a day'],
    ['books:trial-balance', ['--from', TODAY, '--to', '2025-01-01'], '--to must be after --from'],
    ['books:trial-balance', ['--from', TODAY], '--to <day>'],
    ['ledger:export', [...RANGE, '--format', 'xml'], '--format must be one of csv, json'],
    ['ledger:export', [...RANGE, '--format', 'csv', '--json'], '--json means --format json'],
    ['ledger:export', ['--from', `${TODAY}T00:00:00Z`, '--to', `${TODAY}T00:00:00Z`], '--to must be after --from'],
  ])('%s %j is wrong usage', async (command, options, reason) => {
    const { exitCode, stdout, stderr } = await cli.run(command, ...options);
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(reason)]);
  });

  it('export every movement as CSV, or as one JSON array', async () => {
    const csv = await cli.run('ledger:export', ...RANGE);
    expect(csv).toMatchObject({ exitCode: 0, stderr: '' });
    expect(csv.stdout).toBe((await cli.run('ledger:export', ...RANGE, '--format', 'csv')).stdout);
    expect(csv.stdout.split('\r\n')[0]).toBe(
      'id,at,user_id,user,kind,amount,balance,delegation_id,subscription_id,reference,note',
    );
    expect(csv.stdout).toContain(',credit,12.000000,12.000000,,,"inv-1","a ""quoted"" note,\nof two lines"\r\n');
    const rows = await cli.json<Record<string, unknown>[]>('ledger:export', ...RANGE);
    expect(rows).toEqual([
      expect.objectContaining({ user: 'ann@example.com', user_id: userId, kind: 'credit', amount: '12.000000' }),
      expect.objectContaining({ kind: 'debit', amount: '-2.000001', balance: '9.999999', reference: null }),
    ]);
    const { stdout } = await cli.run('ledger:export', '--from', '2025-01-01', '--to', '2025-01-31', '--format', 'json');
    expect(JSON.parse(stdout)).toEqual([]);
  });

  it('close to the sun, and count sold quota', async () => {
    const sale = ['--transactions', '2', '--days', '30', '--price', '4.5', '--from-balance'];
    await cli.json('subscription:create', '--user', 'ann@example.com', ...sale);
    expect(await cli.json('books:trial-balance', ...RANGE)).toEqual({
      from: `${TODAY}T00:00:00.000Z`,
      to: expect.stringMatching(/T00:00:00.000Z$/) as string,
      opening: '0.000000',
      movements: {
        credit: '12.000000',
        debit: '-2.000001',
        deposit: '0.000000',
        charge: '0.000000',
        quota: '-4.500000',
        refund: '0.000000',
      },
      closing: '5.499999',
      holds: '0.000000',
      accounts: 1,
      quota: { sold: 2, given: 0, sold_for: '4.500000', from_balance: '4.500000', used: 0, expired: 0 },
    });
  });

  it('refuse a refund by a txid that no block has, and by a text of another form', async () => {
    const refund = ['balance:refund', '--user', 'ann@example.com', '--amount', '1', '--to', chain.accounts[0]!.address];
    const { exitCode, stderr } = await cli.run(...refund, '--txid', 'AB'.repeat(32));
    expect([exitCode, stderr]).toEqual([
      1,
      `no node shows transaction ${'ab'.repeat(32)} in a block: check the txid, or try again in a minute\n`,
    ]);
    const wrong = await cli.run(...refund, '--txid', 'ab');
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('--txid must be a txid of 64 hex digits'),
    ]);
  });

  it('exit with 1 when the books do not add up', async () => {
    const change = async (sun: bigint) =>
      money.sql.transaction(async (tx) => {
        await tx.execute({ name: '', text: 'set local session_replication_role = replica' });
        await tx.execute({
          name: '',
          text: `update accounts set balance_sun = balance_sun + ${sun} where user_id = '${userId}'`,
        });
      });
    await change(1n);
    const { exitCode, stderr } = await cli.run('books:trial-balance', ...RANGE);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^The books do not add up: .*Run audit/)]);
    await change(-1n);
  });

  it('write a ledger that is larger than their memory', async () => {
    await money.sql.transaction(async (tx) => {
      await tx.execute({ name: '', text: 'set local session_replication_role = replica' });
      await tx.execute({
        name: '',
        text: `
          insert into ledger_entries (user_id, at, kind, amount_sun, balance_sun, note)
          select '${userId}', now() - interval '400 days' + n * interval '1 millisecond', 'credit', 1, n, repeat('x', 900)
          from generate_series(1, ${LARGE}) n`,
      });
    });
    const cliText = `"${process.execPath}" --max-old-space-size=${HEAP_MB} "${join(ROOT, 'scripts', 'run.mjs')}" src/cli/main.js`;
    const env = {
      DATABASE_URL: money.databaseUrl,
      TRON_FULL_NODE_URLS: chain.url,
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    };
    const from = new Date(Date.now() - 401 * 86_400_000).toISOString().slice(0, 10);
    const script = `set -o pipefail; ${cliText} ledger:export --from ${from} --to ${TODAY} | wc -lc`;
    const { code, stdout, stderr } = await runProgram(['bash', '-c', script], { cwd: ROOT, env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const early = await runProgram(['bash', '-c', script.replace('wc -lc', 'head -c 1')], { cwd: ROOT, env });
    expect(early).toEqual({ code: 141, stdout: 'i', stderr: '' });
    const [lines, bytes] = stdout.trim().split(/\s+/).map(Number);
    // The first two movements and the sale are of today; one of their notes has two lines.
    expect(lines).toBe(1 + LARGE + 3 + 1);
    expect(bytes).toBeGreaterThan(HEAP_MB * 1_000_000);
  });
});
