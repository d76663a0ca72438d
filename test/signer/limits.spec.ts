import { appendFileSync, readFileSync, statSync, truncateSync, watch, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { delegation, hexAddress, message, rawData, transfer } from './raw-data';
import { makeWallet, TestSigner } from './signer.fixture';

const [pool, stock, care] = [makeWallet(), makeWallet(), makeWallet()];
const receiver = makeWallet().address;
const TRX = 1_000_000n;

describe('limits of an hour', () => {
  let signer: TestSigner;
  const lend = (sun: bigint) => delegation({ owner: pool.address, receiver, sun });
  const errorsOf = async (key: string, all: readonly Buffer[]) =>
    (await signer.signAll(key, all)).map(({ error }) => error ?? 'signed');

  beforeEach(async () => {
    signer = new TestSigner();
    signer.configure([
      signer.key('pool', pool, { limits: { stake_sun_per_hour: String(100n * TRX) } }),
      signer.key('stock', stock, { role: 'activate', limits: { transfers_per_hour: 3 } }),
      signer.key('care', care, { role: 'stake', unfreeze: true, limits: { stake_sun_per_hour: '10' } }),
      signer.key('free', pool),
    ]);
    await signer.start();
  });
  afterEach(() => signer.remove());

  async function restart(signal: NodeJS.Signals): Promise<string> {
    await signer.stop(signal);
    return signer.start();
  }

  it('let a key lend up to its limit to the sun, and no sun more', async () => {
    expect(await errorsOf('pool', [lend(60n * TRX), lend(40n * TRX + 1n), lend(40n * TRX), lend(1n)])).toEqual([
      'signed',
      'limit_reached',
      'signed',
      'limit_reached',
    ]);
    expect(signer.lines()).toHaveLength(2);
    // Another key has limits of its own, and what is lent comes back.
    expect(await errorsOf('free', [lend(1n)])).toEqual(['signed']);
    expect(await errorsOf('pool', [delegation({ owner: pool.address, receiver }, { type: 58 })])).toEqual(['signed']);
  });

  it('count transfers, and stake that is frozen and unfrozen', async () => {
    const transfers = Array.from({ length: 5 }, () => transfer(stock.address, receiver, TRX));
    expect(await errorsOf('stock', transfers)).toEqual([
      'signed',
      'signed',
      'signed',
      'limit_reached',
      'limit_reached',
    ]);
    const stake = (type: number, sun: bigint) =>
      rawData({ type, value: message([1, hexAddress(care.address)], [2, sun], [3, 1n]) });
    const all = [stake(54, 5n), stake(55, 6n), stake(55, 5n), stake(54, 1n)];
    expect(await errorsOf('care', all)).toEqual(['signed', 'limit_reached', 'signed', 'limit_reached']);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('count over a restart after %s', async (signal) => {
    expect(await errorsOf('pool', [lend(99n * TRX)])).toEqual(['signed']);
    await restart(signal);
    expect(await errorsOf('pool', [lend(TRX + 1n), lend(TRX), lend(1n)])).toEqual([
      'limit_reached',
      'signed',
      'limit_reached',
    ]);
    await restart(signal);
    expect(await errorsOf('pool', [lend(1n)])).toEqual(['limit_reached']);
  });

  it('let no more than the limit pass when a hundred ask at once', async () => {
    const all = Array.from({ length: 100 }, () => lend(3n * TRX));
    const answers = await Promise.all(all.map((one) => errorsOf('pool', [one])));
    const signed = answers.flat().filter((one) => one === 'signed');
    expect(signed).toHaveLength(33);
    expect(answers.flat().filter((one) => one === 'limit_reached')).toHaveLength(67);
    expect(signer.lines()).toHaveLength(33);
  });

  it('count the same bytes once, however often they are signed', async () => {
    const bytes = lend(100n * TRX);
    const [first, ...more] = await Promise.all(Array.from({ length: 20 }, () => signer.sign('pool', bytes)));
    expect(first!.signature).toBeDefined();
    for (const one of more) expect(one).toEqual(first);
    expect(await errorsOf('pool', [lend(1n)])).toEqual(['limit_reached']);
    expect(signer.lines()).toHaveLength(20);
    await restart('SIGKILL');
    expect(await signer.sign('pool', bytes)).toEqual(first);
    expect(await errorsOf('pool', [lend(1n)])).toEqual(['limit_reached']);
  });

  it('give back nothing of what is lent by a signature whose answer is lost, and sign its bytes again', async () => {
    const bytes = lend(100n * TRX);
    const body = JSON.stringify({ requests: [{ key: 'pool', raw_data_hex: bytes.toString('hex') }] });
    const isLogged = grows(signer.log);
    // The client never reads: the kill comes when the line is in the file, whether or not the answer has left.
    const client = connect(signer.socket).pause();
    client.write(`POST /v1/sign HTTP/1.1\r\nHost: signer\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await isLogged;
    await signer.stop('SIGKILL');
    client.destroy();
    await signer.start();
    expect(signer.lines()).toHaveLength(1);
    expect(await errorsOf('pool', [lend(1n), bytes, lend(1n)])).toEqual(['limit_reached', 'signed', 'limit_reached']);
  });

  it('log each signature that is given out, wherever a kill falls', async () => {
    const given = new Set<string>();
    for (let round = 0; round < 8; round++) {
      const isLogged = grows(signer.log);
      const all = Array.from({ length: 60 }, () =>
        signer.sign('free', lend(1n)).then(
          ({ txid }) => given.add(txid!),
          // The connection ended with the signer.
          () => undefined,
        ),
      );
      await isLogged;
      await signer.stop('SIGKILL');
      await Promise.all(all);
      await signer.start();
    }
    const logged = new Set(signer.lines().map(({ txid }) => txid));
    expect([...given].filter((txid) => !logged.has(txid))).toEqual([]);
    expect(logged.size).toBeGreaterThan(0);
  });

  it('begin again an hour after the signature', async () => {
    await errorsOf('pool', [lend(100n * TRX)]);
    await signer.stop();
    age(signer.log, 59 * 60_000);
    await signer.start();
    expect(await errorsOf('pool', [lend(1n)])).toEqual(['limit_reached']);
    await signer.stop();
    age(signer.log, 2 * 60_000);
    await signer.start();
    expect(await errorsOf('pool', [lend(100n * TRX), lend(1n)])).toEqual(['signed', 'limit_reached']);
  });

  it('count by lines that lie ahead of the clock, and the start says so', async () => {
    await errorsOf('pool', [lend(100n * TRX)]);
    await signer.stop();
    age(signer.log, -300 * 60_000);
    expect(await signer.start()).toMatch(/^state: the newest line is 300 minutes ahead of the clock/m);
    expect(await errorsOf('pool', [lend(1n)])).toEqual(['limit_reached']);
  });

  it('count through a last line that a kill has torn, which the next start cuts off', async () => {
    await errorsOf('pool', [lend(60n * TRX), lend(40n * TRX)]);
    await signer.stop();
    const whole = statSync(signer.log).size;
    // All that can be left of the second line: its signature was never given out.
    const second = readFileSync(signer.log).indexOf(10) + 1;
    for (const size of [whole - 1, whole - 40, second + 1]) {
      truncateSync(signer.log, size);
      expect(await signer.start()).toContain(`state: cut off ${size - second} bytes of a last line`);
      expect(await errorsOf('pool', [lend(40n * TRX + 1n)])).toEqual(['limit_reached']);
      expect(signer.lines()).toHaveLength(1);
      expect(await errorsOf('pool', [lend(40n * TRX)])).toEqual(['signed']);
      await signer.stop();
    }
    appendFileSync(signer.log, Buffer.alloc(5_000));
    expect(await signer.start()).toContain('state: cut off 5000 bytes');
    expect(await errorsOf('pool', [lend(1n)])).toEqual(['limit_reached']);
  });

  it('are not read from a log that was changed', async () => {
    await errorsOf('pool', [lend(TRX), lend(TRX), lend(TRX)]);
    await signer.stop();
    const lines = readFileSync(signer.log, 'utf8').split('\n');
    writeFileSync(signer.log, [lines[0], lines[1]!.slice(1), lines[2], ''].join('\n'));
    const { code, stderr } = await signer.run().ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^energy-signer: state \S+ has a line before byte \d+ that cannot be read, and lines after it$/m,
    );
  });

  it('read a long log from its end', async () => {
    await errorsOf('pool', [lend(60n * TRX)]);
    await signer.stop();
    const [recent] = readFileSync(signer.log, 'utf8').split('\n');
    const time = new Date(Date.now() - 2 * 3_600_000).toISOString();
    const old = JSON.stringify({ ...(JSON.parse(recent!) as object), time });
    // What cannot be read lies behind an hour that can be.
    writeFileSync(signer.log, `no line\n${`${old}\n`.repeat(3_000)}${`${recent}\n`.repeat(1_000)}`);
    await signer.start();
    expect(await errorsOf('pool', [lend(40n * TRX + 1n), lend(40n * TRX)])).toEqual(['limit_reached', 'signed']);
  });
});

/** When anything is written to the file. */
async function grows(path: string): Promise<void> {
  const watcher = watch(path);
  await once(watcher, 'change');
  watcher.close();
}

/** Rewrites the times of all lines, as if the log had been written so much earlier. */
function age(path: string, byMs: number): void {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const older = lines.map((line) => {
    const fields = JSON.parse(line) as { time: string };
    return JSON.stringify({ ...fields, time: new Date(Date.parse(fields.time) - byMs).toISOString() });
  });
  writeFileSync(path, older.map((line) => `${line}\n`).join(''));
}
