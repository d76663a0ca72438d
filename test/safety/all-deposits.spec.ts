import { TrialBalance } from '../../src/reporting/books/trial-balance';
import { SweepWorld } from '../deposits/sweeps/sweep-world';
import { type Customer, type DepositWorld, TRX } from '../deposits/deposit-world';
import { countOf, record, timeFor } from '../support/bar';
import { ensureBuild } from '../support/build';
import type { ServiceChild } from '../support/service-child';
import { until } from '../support/until';

const FULL = 10_000;
const DEPOSITS = countOf(FULL, 60);
/** A kill or a fork goes with every other one. */
const ROUNDS = Math.min(20, Math.ceil(DEPOSITS / 8));
const CUSTOMERS = Math.max(6, Math.ceil(DEPOSITS / 10));
const AT_ONCE = 10;
/** A node forgets what is pending for a minute. */
const A_BLOCK = 100;
/** The outage begins with this round. */
const OUTAGE = Math.floor(ROUNDS / 2);
/** In a row of blocks, so that each place in a range of 20 that is read later has a payment, its ends among them. */
const IN_A_ROW = 21;
const IN_OUTAGE = Math.min(DEPOSITS, Math.max(IN_A_ROW, Math.floor(DEPOSITS / ROUNDS)));
const HOURS = 24;
const BLOCKS_AN_HOUR = countOf(1_200, 2);
const HOUR_MS = 3_600_000;
const BLOCK_MS = 3_000;
const ALL = { from: new Date('2018-01-01T00:00:00Z'), to: new Date('2200-01-01T00:00:00Z') };
/** What falls to one of so many parts, the first of which is 0. */
const partOf = (total: number, parts: number, at: number) =>
  Math.floor((total * (at + 1)) / parts) - Math.floor((total * at) / parts);
const TIME_MS = timeFor(DEPOSITS, 150);

interface Paid {
  readonly customer: Customer;
  readonly asset: 'TRX' | 'USDT';
  readonly units: number;
}
interface Rate {
  readonly since: number;
  readonly sun: bigint;
}

describe(`${DEPOSITS} deposits of both kinds, with kills, forks and an outage of a day`, () => {
  let sweeps: SweepWorld;
  let deposits: DepositWorld;
  let customers: Customer[];
  /** By txid. */
  const paid = new Map<string, Paid>();
  const rates: Rate[] = [];
  const instances: ServiceChild[] = [];
  const met = { kills: 0, forks: 0, dropped: 0, blocks: 0, inOutage: 0 };
  let made = 0;

  beforeAll(async () => {
    ensureBuild();
    sweeps = await SweepWorld.open({ env: { DEPOSIT_RATE_MAX_AGE: '480h' } });
    ({ deposits } = sweeps);
    const { world } = deposits;
    customers = [];
    for (let at = 0; at < CUSTOMERS; at++) customers.push(await deposits.customer());
    // From here on only processes follow, which can be killed; this one serves.
    const following = world.app;
    await world.startInstance({}, false);
    await world.stopInstance(following);
  }, TIME_MS);
  afterAll(() => sweeps.close());

  const nodeTimeMs = async (): Promise<number> => {
    const { block_header: header } = await deposits.world.node('wallet/getnowblock');
    return (header as { raw_data: { timestamp: number } }).raw_data.timestamp;
  };
  async function start(): Promise<void> {
    instances.push(await deposits.world.startProcess());
  }
  async function killOne(): Promise<void> {
    await instances.shift()!.stop('SIGKILL');
    met.kills++;
  }
  /** Blocks that follow have it. */
  async function setRate(sun: bigint): Promise<void> {
    const since = (await nodeTimeMs()) + 1;
    rates.push({ since, sun });
    await deposits.world.query(
      'insert into deposit_rates (sun_per_usdt, since) values ($1, to_timestamp($2::float8 / 1000)) returning id',
      [sun, since],
    );
  }
  /** Pending. No two of them are of one amount. */
  async function pay(count: number): Promise<string[]> {
    const txids: string[] = [];
    const left = Array.from({ length: count }, () => made++);
    const payer = async () => {
      for (let at = left.shift(); at !== undefined; at = left.shift()) {
        const customer = customers[at % customers.length]!;
        const asset = Math.floor(at / customers.length) % 2 === at % 2 ? 'TRX' : 'USDT';
        const units = (asset === 'TRX' ? TRX : 10 * TRX) + 1_001 * at;
        const txid = await (asset === 'TRX'
          ? deposits.payTrx(customer.address, units)
          : deposits.payUsdt(customer.address, units));
        paid.set(txid, { customer, asset, units });
        txids.push(txid);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, payer));
    return txids;
  }
  async function mine(count: number): Promise<void> {
    await deposits.mine(count);
    met.blocks += count;
  }
  /** All come again but one, which is lost for good. */
  async function fork(txids: readonly string[]): Promise<void> {
    const [lost, ...kept] = txids;
    await deposits.untilSeen(lost!);
    await deposits.world.control('fork', { from: await deposits.head(), keep: kept });
    met.forks++;
    await mine(2);
    const info = await deposits.world.node('wallet/gettransactioninfobyid', { value: lost });
    if (Object.keys(info).length > 0) return;
    met.dropped++;
    paid.delete(lost!);
    await pay(1);
  }
  async function outage(): Promise<void> {
    while (instances.length > 0) await killOne();
    const begun = met.blocks;
    const every = Math.floor(HOURS / Math.max(1, Math.floor(IN_OUTAGE / IN_A_ROW)));
    for (let hour = 0; hour < HOURS; hour++) {
      const count = hour % every > 0 ? 0 : partOf(IN_OUTAGE, Math.ceil(HOURS / every), hour / every);
      for (let at = 0; at < count; at++) {
        await pay(1);
        await mine(1);
      }
      const others = Math.max(0, BLOCKS_AN_HOUR - count);
      if (others > 0) await mine(others);
      await deposits.world.control('clock', { ms: Math.max(0, HOUR_MS - (count + others) * BLOCK_MS) });
    }
    met.inOutage = met.blocks - begun;
    await mine(1);
    await start();
    await start();
  }
  /** A chain that stands still proves nothing: while the instances read what they have missed, blocks go on coming. */
  async function untilDecided(): Promise<void> {
    await mine(6);
    const last = await deposits.head();
    const place = async () =>
      (await deposits.world.query(`select number from followed_blocks where subscriber = 'deposits'`))[0]!['number'];
    const isThere = async () => Number(await place()) >= last - 4 || (await mine(1), false);
    await until('all final blocks looked through', isThere, TIME_MS);
    const open = `select 1 from deposits where state = 'seen'`;
    await until('all of them credited', async () => (await deposits.world.query(open)).length === 0, TIME_MS);
  }
  /** By the chain's own record. */
  async function dueOf(txid: string, { asset, units }: Paid): Promise<bigint> {
    const info = await deposits.world.node('wallet/gettransactioninfobyid', { value: txid });
    const atMs = Number(info['blockTimeStamp']);
    expect(atMs).toBeGreaterThan(0);
    const rate = rates.findLast(({ since }) => since <= atMs)!;
    return asset === 'TRX' ? BigInt(units) : (BigInt(units) * rate.sun) / 1_000_000n;
  }

  it(
    'are each credited once and to the sun, the trial balance closes, and sweeps bring all of it to the treasury',
    async () => {
      await setRate(3_000_000n);
      await start();
      await start();
      const before = await deposits.world.app.app.get(TrialBalance).read(ALL);
      for (let round = 0; round < ROUNDS; round++) {
        if (round % 5 === 4) await setRate(2_700_000n + 100_003n * BigInt(round));
        if (round === OUTAGE) {
          await outage();
          continue;
        }
        const count = partOf(DEPOSITS - IN_OUTAGE, ROUNDS - 1, round < OUTAGE ? round : round - 1);
        let txids: string[] = [];
        for (let left = count; left > 0; left -= A_BLOCK) {
          txids = await pay(Math.min(left, A_BLOCK));
          await mine(1);
        }
        if (round % 4 === 1) await fork(txids);
        if (round % 4 === 3) {
          await killOne();
          await start();
        }
        await mine(2);
      }
      await untilDecided();

      const due = new Map<string, bigint>();
      for (const [txid, payment] of paid) due.set(txid, await dueOf(txid, payment));
      const expected = Object.fromEntries([...due].map(([txid, sun]) => [`${txid}:0`, sun]));
      expect(paid.size).toBe(DEPOSITS);
      expect(await deposits.credits()).toEqual(expected);
      for (const customer of customers) {
        const own = [...paid].filter(([, payment]) => payment.customer === customer);
        const sum = own.reduce((total, [txid]) => total + due.get(txid)!, 0n);
        expect(await deposits.balanceSun(customer)).toBe(sum);
      }
      const total = [...due.values()].reduce((sum, sun) => sum + sun, 0n);
      const books = await deposits.world.app.app.get(TrialBalance).read(ALL);
      expect([books.fault, books.closingSun - before.closingSun, books.movementsSun.deposit]).toEqual([
        null,
        total,
        total,
      ]);
      expect((await deposits.world.audit()).findings).toEqual([]);

      const swept = await sweep();
      const sumOf = (wanted: Paid['asset']) =>
        [...paid.values()].reduce((sum, { asset, units }) => (asset === wanted ? sum + BigInt(units) : sum), 0n);
      expect(swept).toEqual({ sun: sumOf('TRX'), units: sumOf('USDT') });
      const trx = [...paid.values()].filter(({ asset }) => asset === 'TRX').length;
      const seen = `${trx} of TRX and ${paid.size - trx} of USDT, credited with ${total} sun; ${met.kills} kills, ${met.forks} forks, ${met.blocks} blocks, ${met.inOutage} of them in a day without an instance; ${swept.sun} sun and ${swept.units} millionths of a USDT swept`;
      record(25, 'deposits', paid.size, FULL, seen);
    },
    TIME_MS,
  );

  /** What the treasury got. Each address has free bandwidth for one sweep now, and for the other one an hour or two later. */
  async function sweep(): Promise<{ sun: bigint; units: bigint }> {
    const before = { sun: await sweeps.sunOf(sweeps.treasury), units: await sweeps.usdtOf(sweeps.treasury) };
    const plan = await sweeps.plan();
    await sweeps.takeFile(await sweeps.signedFile(plan.file, plan.expiresAt.getTime() - 12 * HOUR_MS));
    let looks = 0;
    const untilAll = (asset: string, state: string) =>
      until(
        `all sweeps of ${asset} ${state}`,
        async () => {
          // What has waited for bandwidth before the clock moved on is looked at again.
          if (looks++ % 40 === 0) await sweeps.due();
          await mine(1);
          return (await sweeps.list()).every((one) => one.asset !== asset || one.state === state);
        },
        TIME_MS,
      );
    await untilAll('TRX', 'final');
    await deposits.world.control('clock', { ms: 3 * HOUR_MS });
    await untilAll('USDT', 'final');
    await mine(6);
    for (const { address } of customers)
      expect([await sweeps.sunOf(address), await sweeps.usdtOf(address)]).toEqual([0n, 0n]);
    return {
      sun: (await sweeps.sunOf(sweeps.treasury)) - before.sun,
      units: (await sweeps.usdtOf(sweeps.treasury)) - before.units,
    };
  }
});
