import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { utils } from 'tronweb';
import type { Operator } from '../../../src/audit-log/audit-log';
import { toHexAddress } from '../../../src/chain/tron/addresses';
import { PlanSweeps, type SweepPlan } from '../../../src/deposits/sweeps/plan-sweeps';
import { SendSweeps } from '../../../src/deposits/sweeps/send-sweeps';
import { signSweeps } from '../../../src/deposits/sweeps/signing/sign-sweeps';
import { SweepKeys } from '../../../src/deposits/sweeps/signing/sweep-keys';
import {
  readSignedSweeps,
  readSweepPlan,
  type SignedEntry,
  writeSweepFile,
} from '../../../src/deposits/sweeps/sweep-file';
import type { SweepView } from '../../../src/deposits/sweeps/sweep.statements';
import { Sweeps } from '../../../src/deposits/sweeps/sweeps';
import { TakeSigned } from '../../../src/deposits/sweeps/take-signed';
import { UnexplainedHoldings } from '../../../src/deposits/unexplained-holdings';
import type { WorldOptions } from '../../support/order-world';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';
import { ACCOUNT, addressAt, DepositWorld, TRX, USDT } from '../deposit-world';

const HOUR_MS = 3_600_000;

export const ANN: Operator = { id: null, address: 'ann@here' };

export interface UnknownSweeps {
  readonly state: 'signed' | 'included';
  readonly expirationMs?: number;
  readonly blockNumber?: number | null;
}

/** Deposits, a treasury that has an account, and a folder for files. */
export class SweepWorld {
  private readonly folder = mkdtempSync(join(tmpdir(), 'sweeps-'));
  private files = 0;

  private constructor(
    readonly deposits: DepositWorld,
    readonly treasury: string,
  ) {}

  static async open({ env, ...options }: WorldOptions = {}): Promise<SweepWorld> {
    const treasury = utils.accounts.generateAccount().address.base58;
    const deposits = await DepositWorld.open({ ...options, env: { DEPOSIT_SWEEP_TO: treasury, ...env } });
    const sweeps = new SweepWorld(deposits, treasury);
    await deposits.payTrx(treasury, TRX);
    await sweeps.settle();
    return sweeps;
  }

  get world() {
    return this.deposits.world;
  }

  file(): string {
    return join(this.folder, String(++this.files));
  }

  /** An address of a customer with so much. */
  async holding(sun: number): Promise<string> {
    const { address } = await this.deposits.customer();
    await this.deposits.payTrx(address, sun);
    return address;
  }

  async holdingUsdt(units: number): Promise<string> {
    const { address } = await this.deposits.customer();
    await this.deposits.payUsdt(address, units);
    return address;
  }

  async plan(
    file = this.file(),
    leastSun?: bigint,
    { app }: TestApp = this.world.app,
  ): Promise<SweepPlan & { file: string }> {
    return { ...(await app.get(PlanSweeps).plan(ANN, file, { TRX: leastSun })), file };
  }

  async sign(file: string, nowMs = Date.now()): Promise<SignedEntry[]> {
    return readSignedSweeps(await this.signedFile(file, nowMs));
  }

  /** On the machine that has the keys. */
  async signedFile(file: string, nowMs = Date.now()): Promise<string> {
    const keys = SweepKeys.ofExtendedKey(ACCOUNT.privateExtendedKey);
    const signed = signSweeps(await readSweepPlan(file), { to: this.treasury, usdt: USDT, keys, nowMs });
    const out = this.file();
    await writeSweepFile(out, 'signed', signed);
    return out;
  }

  async takeFile(file: string): Promise<void> {
    await this.take(await readSignedSweeps(file));
  }

  async take(signed: readonly SignedEntry[], { app }: TestApp = this.world.app): Promise<void> {
    await app.get(TakeSigned).take(ANN, signed);
  }

  async send({ app }: TestApp = this.world.app): Promise<void> {
    await app.get(SendSweeps).run();
  }

  /** Lending energy takes blocks. */
  async sendWithBlocks(): Promise<void> {
    let isSent = false;
    const sending = this.send().finally(() => (isSent = true));
    await until('all that is due sent', async () => isSent || (await this.deposits.mine(), false));
    await sending;
  }

  /** All of a plan, signed on time and sent, to its end. */
  async sweepAll(leastSun?: bigint): Promise<SweepPlan> {
    const plan = await this.plan(this.file(), leastSun);
    await this.takeFile(await this.signedFile(plan.file, plan.expiresAt.getTime() - 12 * HOUR_MS));
    await this.sendWithBlocks();
    return plan;
  }

  /** The USDT of this address, with energy of its own: nothing is lent first. */
  async sendAtOnce(address: string): Promise<void> {
    await this.world.control('account', { address, balance_sun: 1, staked_energy_sun: 7_000 * TRX });
    const plan = await this.plan();
    await this.takeFile(await this.signedFile(plan.file, plan.expiresAt.getTime() - 12 * HOUR_MS));
    await this.send();
    expect((await this.of(address))[0]).toMatchObject({ asset: 'USDT', state: 'sent' });
  }

  /** So many rows of which no node knows anything, of addresses from this number on, in the order of their ids. */
  async unknown(
    count: number,
    from: number,
    { state, expirationMs = 1, blockNumber = null }: UnknownSweeps,
  ): Promise<void> {
    const rows = Array.from({ length: count }, (_, at) => ({ address: addressAt(from + at), number: from + at }));
    await this.world.query(
      `with known as (
         insert into deposit_addresses (address, hex, account, number)
         select r.address, 'of ' || r.address, 'none', r.number from json_to_recordset($1::json) as r (address text, number int)
         returning address, lpad(number::text, 12, '0') as number
       )
       insert into deposit_sweeps (id, address, asset, amount, state, tx_id, raw_data, bytes, signature, expiration_ms, ref_block_number, block_number)
       select ('00000000-0000-4000-8000-' || number)::uuid, address, 'USDT', 1, $2, lpad(number, 64, '0'), '', 345, '', $3, 1, $4
         from known returning 1`,
      [JSON.stringify(rows), state, expirationMs, blockNumber],
    );
  }

  /** USDT in the solid view, in millionths. */
  async usdtOf(address: string): Promise<bigint> {
    const [owner, contract] = [toHexAddress(address), toHexAddress(USDT)];
    const found = await this.world.node('walletsolidity/triggerconstantcontract', {
      owner_address: owner,
      contract_address: contract,
      function_selector: 'balanceOf(address)',
      parameter: owner.slice(2).padStart(64, '0'),
    });
    return BigInt(`0x${(found['constant_result'] as string[])[0]}`);
  }

  list(): Promise<SweepView[]> {
    return this.world.app.app.get(Sweeps).list(null);
  }

  async of(address: string): Promise<SweepView[]> {
    return (await this.list()).filter((sweep) => sweep.address === address);
  }

  async untilState(address: string, state: string): Promise<void> {
    await until(`the sweep of ${address} ${state}`, async () => (await this.of(address))[0]?.state === state);
  }

  /** However long it waits. */
  async untilEnded(address: string, state: string): Promise<void> {
    await until(`the sweep of ${address} ${state}`, async () => {
      await this.due();
      await this.deposits.mine();
      return (await this.of(address))[0]?.state === state;
    });
  }

  async settle(): Promise<void> {
    await this.deposits.settle();
  }

  /** As the schedule does in its turn. */
  async readHoldings(addresses: readonly string[]): Promise<void> {
    const holdings = this.world.app.app.get(UnexplainedHoldings);
    for (const address of addresses) expect(await holdings.read(address)).toBe(true);
  }

  /** In the solid view. */
  async sunOf(address: string): Promise<bigint> {
    const { balance = 0 } = (await this.world.node('walletsolidity/getaccount', { address, visible: true })) as {
      balance?: number;
    };
    return BigInt(balance);
  }

  async later(ms: number): Promise<void> {
    await this.world.control('clock', { ms });
    await this.settle();
    await this.settle();
  }

  /** Waiting ones are looked at now. */
  async due(): Promise<void> {
    await this.world.query(`update deposit_sweeps set waits_until = null where state = 'signed' returning id`);
  }

  async close(): Promise<void> {
    await this.deposits.close();
    rmSync(this.folder, { recursive: true });
  }
}
