import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Journal } from '../../signer/src/journal/journal';
import { runProgram } from '../support/program';
import { delegation } from './raw-data';
import { makeWallet, TestSigner } from './signer.fixture';

const pool = makeWallet();
const receiver = makeWallet().address;
const other = '5f'.repeat(32);
const lend = (sun: bigint) => delegation({ owner: pool.address, receiver, sun });
/** Files get no larger than a block (512 or 1,024 bytes), and who writes on is answered with EFBIG. */
const NO_ROOM = "trap '' XFSZ; ulimit -S -f 1";
const LITTLE_ROOM = "trap '' XFSZ; ulimit -S -f 8";

describe('the log', () => {
  let signer: TestSigner;
  beforeEach(() => {
    signer = new TestSigner();
    signer.configure([signer.key('pool', pool, { limits: { stake_sun_per_hour: '100' } })]);
  });
  afterEach(() => signer.remove());

  async function makeRoom(): Promise<void> {
    const made = await runProgram(['prlimit', `--pid=${signer.process.process.pid}`, '--fsize=unlimited:unlimited']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
  }

  it('keeps a signature back that it cannot hold, and its part of the limit is free', async () => {
    await signer.start(undefined, {}, NO_ROOM);
    const results = [];
    for (let one = 0; one < 10; one++) results.push(await signer.sign('pool', lend(10n)));
    const signed = results.filter(({ signature }) => signature !== undefined);
    const refused = results.filter(({ signature }) => signature === undefined);
    expect(signed.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(5);
    for (const { error, message } of refused)
      expect({ error, message }).toEqual({
        error: 'backend',
        message: expect.stringMatching(/^the log cannot be written: EFBIG/),
      });
    expect(await signer.health()).toMatchObject({ ok: false, keys: [{ ok: true }] });
    await makeRoom();
    const left = 100n - BigInt(signed.length) * 10n;
    expect(await signer.sign('pool', lend(left + 1n))).toMatchObject({ error: 'limit_reached' });
    expect(await signer.sign('pool', lend(left))).toHaveProperty('signature');
    expect(await signer.health()).toMatchObject({ ok: true });
    expect(signer.lines().map(({ txid }) => txid)).toEqual([...signed.map(({ txid }) => txid), expect.any(String)]);
  });

  it('has nothing of a group that it could not hold in front of the next line', async () => {
    await signer.start(undefined, {}, LITTLE_ROOM);
    const all = await signer.signAll(
      'pool',
      Array.from({ length: 90 }, () => lend(1n)),
    );
    const signed = all.filter(({ signature }) => signature !== undefined);
    expect(signed.length).toBeLessThan(90);
    await makeRoom();
    const { txid } = await signer.sign('pool', lend(1n));
    expect(signer.lines().map((line) => line.txid)).toEqual([...signed.map((one) => one.txid), txid]);
  });

  it('is left as it was by what it could not hold, where the next start finds a half line', async () => {
    await signer.start(undefined, {}, NO_ROOM);
    const given = [];
    for (let one = 0; one < 5; one++) given.push(await signer.sign('pool', lend(10n)));
    await signer.stop('SIGKILL');
    await signer.start();
    const signed = given.filter(({ signature }) => signature !== undefined);
    expect(signer.lines().map(({ txid }) => txid)).toEqual(signed.map(({ txid }) => txid));
  });

  it('has lines of six fields in the order of their times, and is for its owner alone', async () => {
    await signer.start();
    await Promise.all(Array.from({ length: 10 }, () => signer.sign('pool', lend(1n))));
    const lines = signer.lines();
    expect(lines).toHaveLength(10);
    for (const line of lines) expect(Object.keys(line)).toEqual(['time', 'key', 'txid', 'kind', 'receiver', 'amount']);
    const times = lines.map(({ time }) => time);
    expect(times).toEqual(times.toSorted());
    expect(statSync(signer.log).mode & 0o777).toBe(0o600);
  });

  it('has no time that is before the one above it, although the clock was set back', async () => {
    const journal = await Journal.open(signer.log);
    const line = { key: 'pool', txid: 'ab'.repeat(32), kind: 'DelegateResourceContract', receiver: null } as const;
    const before = await journal.append({ ...line, amountSun: 1n });
    const clock = jest.spyOn(Date, 'now').mockReturnValue(before - 2 * 3_600_000);
    const after = await journal.append({ ...line, amountSun: 1n });
    clock.mockRestore();
    await journal.close();
    expect(after).toBe(before);
    const times = signer.lines().map(({ time }) => Date.parse(time));
    expect(times).toEqual([before, before]);
  });

  it('is new at the first start alone, which says so, and which keys have no limit', async () => {
    signer.configure([signer.key('pool', pool)]);
    const first = await signer.start();
    expect(first).toMatch(/^state: new$/m);
    expect(first).toMatch(/^key pool: .*, no limit$/m);
    await signer.stop();
    // What this role never signs.
    signer.configure([signer.key('pool', pool, { limits: { transfers_per_hour: 5 } })]);
    expect(await signer.start()).toMatch(/^key pool: .*, no limit$/m);
    await signer.stop();
    signer.configure([signer.key('pool', pool, { limits: { stake_sun_per_hour: '100' } })]);
    expect(await signer.start()).not.toMatch(/state: new|no limit/);
  });

  it('is never written over', async () => {
    await signer.start();
    await signer.sign('pool', lend(1n));
    const before = readFileSync(signer.log);
    await signer.stop();
    await signer.start();
    await signer.sign('pool', lend(1n));
    expect(readFileSync(signer.log).subarray(0, before.length)).toEqual(before);
  });

  it('gives up a line that the disk does not take in time', async () => {
    const pipe = join(signer.folder, 'pipe');
    expect(await runProgram(['mkfifo', pipe])).toMatchObject({ code: 0 });
    const journal = await Journal.open(signer.log, 20);
    // Each takes one of the threads that would write.
    const busy = Array.from({ length: Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) }, () => open(pipe, 'r'));
    const line = { key: 'pool', txid: 'ab'.repeat(32), kind: 'DelegateResourceContract', receiver: null } as const;
    await expect(journal.append({ ...line, amountSun: 1n })).rejects.toThrow('the log cannot be written: no answer');
    expect(journal.isWritable).toBe(false);
    const writer = openSync(pipe, constants.O_RDWR);
    for (const file of await Promise.all(busy)) await file.close();
    closeSync(writer);
    await journal.close();
  });

  it('has one signer at a time, and the next one after its end', async () => {
    await signer.start();
    const second = await signer.run(['--socket', join(signer.folder, 'other')]).ended;
    expect(second).toEqual({
      code: 1,
      stdout: '',
      stderr: `energy-signer: state ${signer.log} is in use by another signer\n`,
    });
    await signer.stop('SIGKILL');
    await signer.start();
  });

  it.each([
    ['written by others', () => (signer.write('log', '', 0o622), 'can be written by others (mode 0622): chmod go-w')],
    ['a folder', () => (mkdirSync(signer.log), 'cannot be opened: EISDIR')],
    ['a link', () => (symlinkSync('elsewhere', signer.log), 'cannot be opened: ELOOP')],
    [
      'in a folder that is not there',
      () => (signer.configure([signer.key('pool', pool)], { state: '/none/log' }), 'cannot be locked'),
    ],
    ['another file', () => (signer.write('log', 'What is this?\n'.repeat(9_999)), 'is not a log of the signer')],
    ['one whole line of another kind', () => (signer.write('log', `${other}\n`), 'is not a log of the signer')],
    ['half a line of another kind', () => (signer.write('log', other), 'is not a log of the signer')],
  ])('is refused when it is %s', async (_what, make) => {
    const why = make();
    const before = lstatSync(signer.log, { throwIfNoEntry: false });
    const { code, stdout, stderr } = await signer.run().ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^energy-signer: state \S+ .*\n$/);
    expect(stderr).toContain(why);
    expect(lstatSync(signer.log, { throwIfNoEntry: false })?.size).toBe(before?.size);
  });

  it.each([
    ['the configuration', '--config', () => signer.config],
    ['a key', 'source.file of key pool', () => join(signer.folder, 'pool.key')],
  ])('is refused when it is %s, by whatever name', async (_what, name, file) => {
    const state = join(signer.folder, 'by-another-name');
    signer.configure([signer.key('pool', pool)], { state });
    linkSync(file(), state);
    const before = readFileSync(state);
    const { code, stderr } = await signer.run().ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `energy-signer: state ${state} is the same file as ${name}\n`,
    });
    expect(readFileSync(state)).toEqual(before);
  });
});
