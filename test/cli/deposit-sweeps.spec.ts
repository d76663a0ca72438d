import { statSync } from 'node:fs';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { utils } from 'tronweb';
import { ACCOUNT, DepositWorld, TRX, XPUB } from '../deposits/deposit-world';
import { SharedCommandLine } from '../support/shared-command-line';

type Row = Record<string, unknown>;

/** One sentence, with the way that is left. */
const NO_RIGHT = /^\/sys\/plan was not written: E(ACCES|ROFS) \(with - in place of its name, .*\)[^\n]*\n$/;

describe('the commands of sweeps', () => {
  let deposits: DepositWorld;
  let cli: SharedCommandLine;
  let folder: string;
  const treasury = utils.accounts.generateAccount().address.base58;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sweeps-'));
    deposits = await DepositWorld.open();
    const { world } = deposits;
    cli = SharedCommandLine.on(world.database.url, {
      FOLDER: folder,
      TREASURY: treasury,
      TRON_FULL_NODE_URLS: world.chain.url,
      DEPOSIT_XPUB: XPUB,
      DEPOSIT_SWEEP_TO: treasury,
    });
    await deposits.payTrx(treasury, TRX);
    await deposits.settle();
  });
  afterAll(async () => {
    await Promise.all([cli.close(), deposits.close()]);
    rmSync(folder, { recursive: true });
  });

  const file = (name: string) => join(folder, name);

  it('refuse what is typed wrongly', async () => {
    const wrong = [
      ['deposit:sweep-plan'],
      ['deposit:sweep-plan', file('plan'), '--min', 'much'],
      ['deposit:sweep-sign', file('plan'), '--to', treasury, '--xprv-file', file('key')],
      ['deposit:sweep-sign', file('plan'), file('signed'), '--to', 'T1', '--xprv-file', file('key')],
      ['deposit:sweep-send'],
      ['deposit:sweeps', '--limit', '0'],
    ];
    for (const args of wrong) expect([args, (await cli.run(...args)).exitCode]).toEqual([args, 2]);
    const none = await cli.run('deposit:sweep-send', file('none'));
    expect([none.exitCode, none.stderr]).toEqual([1, expect.stringContaining('ENOENT')]);
  });

  it('bring what is held to the treasury: plan, sign, send, and the list of it', async () => {
    const { address } = await deposits.customer();
    await deposits.payTrx(address, 3 * TRX);
    const poor = await deposits.customer();
    await deposits.payTrx(poor.address, 2 * TRX);
    await deposits.settle();
    const planned = await cli.json<Row>('deposit:sweep-plan', file('plan'), '--min', '2.5');
    expect(planned).toEqual({
      to: treasury,
      sweeps: 1,
      trx: '3.000000',
      usdt: '0.000000',
      bandwidth: expect.any(Number),
      energy: 0,
      expires_at: expect.stringMatching(/Z$/),
      too_small: 1,
      under_way: 0,
      unread: 0,
      disputed: 0,
      other_accounts: 0,
    });
    expect(statSync(file('plan')).mode & 0o777).toBe(0o600);
    const listed = await cli.json<Row[]>('deposit:sweeps');
    expect(listed).toEqual([
      {
        id: expect.any(String),
        address,
        asset: 'TRX',
        amount: '3.000000',
        state: 'planned',
        txid: expect.stringMatching(/^[0-9a-f]{64}$/),
        error: null,
      },
    ]);
    writeFileSync(file('key'), ACCOUNT.privateExtendedKey, { mode: 0o600 });
    const keyed = ['--to', treasury, '--xprv-file', file('key')];
    const signed = await cli.json('deposit:sweep-sign', file('plan'), file('signed'), ...keyed);
    expect(signed).toEqual({ to: treasury, sweeps: 1, trx: '3.000000', usdt: '0.000000' });
    // A service that runs may be faster.
    const states = { states: expect.objectContaining({}) };
    expect(await cli.json('deposit:sweep-send', file('signed'))).toEqual({
      sweeps: 1,
      trx: '3.000000',
      usdt: '0.000000',
      ...states,
    });
    await deposits.settle();
    await deposits.world.untilRow(`select 1 from deposit_sweeps where state = 'final'`);
    expect(await cli.json('deposit:sweeps', '--limit', '1')).toEqual([{ ...listed[0], state: 'final' }]);
    const again = await cli.json<Row>('deposit:sweep-send', file('signed'));
    expect(again['states']).toEqual({ final: 1 });
    const table = await cli.run('deposit:sweeps');
    expect(table.stdout).toMatch(/^id +address +asset +amount +state +txid +error\n/);
  });

  it('go through standard input and output with -, and no plan is recorded that its reader does not have', async () => {
    const { address } = await deposits.customer();
    await deposits.payTrx(address, 4 * TRX);
    await deposits.settle();
    const before = await cli.json<Row[]>('deposit:sweeps');
    // A reader that is gone, a full disk, and folders that keep no file.
    for (const [script, code, said] of [
      ['exec 3> >(true); wait $!; CLI deposit:sweep-plan - >&3', 141, /^standard output was not written: EPIPE/],
      ['CLI deposit:sweep-plan - >/dev/full', 1, /^standard output was not written: ENOSPC/],
      ['CLI deposit:sweep-plan /sys/plan', 1, NO_RIGHT],
      ['CLI witnesses:export /sys/plan', 1, NO_RIGHT],
    ] as const) {
      const refused = await cli.shell(script);
      expect([script, refused]).toEqual([script, { code, stdout: '', stderr: expect.stringMatching(said) }]);
    }
    expect(await cli.json<Row[]>('deposit:sweeps')).toEqual(before);

    const planned = await cli.shell('CLI deposit:sweep-plan - --min 3.5 --json >"$FOLDER/piped"');
    expect([planned.code, planned.stdout, JSON.parse(planned.stderr)]).toEqual([
      0,
      '',
      expect.objectContaining({ sweeps: 1, trx: '4.000000' }),
    ]);
    expect(JSON.parse(readFileSync(file('piped'), 'utf8'))).toMatchObject({ sweeps: [{ address }] });
    writeFileSync(file('piped-key'), ACCOUNT.privateExtendedKey, { mode: 0o600 });
    const sent = await cli.shell(
      'CLI deposit:sweep-sign - - --to "$TREASURY" --xprv-file "$FOLDER/piped-key" --json <"$FOLDER/piped" | CLI deposit:sweep-send - --json',
    );
    expect([sent.code, JSON.parse(sent.stderr), JSON.parse(sent.stdout)]).toEqual([
      0,
      { to: treasury, sweeps: 1, trx: '4.000000', usdt: '0.000000' },
      expect.objectContaining({ sweeps: 1, trx: '4.000000' }),
    ]);
    const empty = await cli.shell('CLI deposit:sweep-send -');
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('it is not a JSON object')]);
  });
});
