import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { toHexAddress } from '../../../src/chain/tron/addresses';
import { UnexplainedHoldings } from '../../../src/deposits/unexplained-holdings';
import { WalletUses } from '../../../src/reconciliation/uses/wallet-uses';
import { NodeProxy } from '../../support/node-proxy';
import { until } from '../../support/until';
import { TRX } from '../deposit-world';
import { SweepWorld } from './sweep-world';

const HOUR_MS = 3_600_000;
/** By the clock of a machine that goes with the chain's, which these tests put forward. */
const signedAt = ({ expiresAt }: { readonly expiresAt: Date }) => expiresAt.getTime() - 12 * HOUR_MS;

describe('what customers have paid in is swept', () => {
  let sweeps: SweepWorld;
  let liar: NodeProxy;
  let liarUrl: string;
  beforeAll(async () => {
    sweeps = await SweepWorld.open({
      nodeUrl: async (url) => {
        liar = new NodeProxy(url);
        liarUrl = await liar.open();
        return `${liarUrl},${url}`;
      },
    });
  });
  afterEach(() => {
    liar.after = (_, answer) => answer;
    liar.status = () => undefined;
  });
  afterAll(async () => {
    await sweeps.close();
    await liar.close();
  });

  /** What one node says of every account's TRX. */
  const say = (balance: (sun: bigint) => bigint) => {
    liar.after = ({ route }, answer) =>
      route === 'walletsolidity/getaccount'
        ? answer.replace(/"balance":\s*(\d+)/, (_, sun: string) => `"balance": ${balance(BigInt(sun))}`)
        : answer;
  };
  /** All that is there goes, so that no test meets what another has left. */
  async function sweepAll(): Promise<void> {
    const { file } = await sweeps.plan();
    await sweeps.take(await sweeps.sign(file));
    await sweeps.send();
    await sweeps.settle();
  }
  const waits = (address: string, time: string) =>
    sweeps.world.query(
      `update deposit_sweeps set waits_until = now() + $2::interval where address = $1 and state = 'signed' returning 1`,
      [address, time],
    );
  const transactionsOf = (txid: string) =>
    sweeps.world.query('select state, wallet_id from chain_transactions where tx_id = $1', [txid]);

  it('never without a destination, to a customer, or to an address without an account; nothing is left of that', async () => {
    const customer = await sweeps.deposits.customer();
    const inactive = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH';
    const file = sweeps.file();
    for (const [to, reason] of [
      ['', 'DEPOSIT_SWEEP_TO'],
      [customer.address, 'it is a deposit address'],
      [inactive, 'no account on the chain'],
    ] as const) {
      const other = await sweeps.world.startInstance({ DEPOSIT_SWEEP_TO: to }, false);
      await expect(sweeps.plan(file, undefined, other)).rejects.toThrow(reason);
      await sweeps.world.stopInstance(other);
    }
    expect(existsSync(file)).toBe(false);
    expect(await sweeps.list()).toEqual([]);
  });

  it('never over a file that is there, and leaves none where rows are not written', async () => {
    await sweeps.holding(2 * TRX);
    await sweeps.settle();
    const there = sweeps.file();
    writeFileSync(there, 'mine');
    await expect(sweeps.plan(there)).rejects.toThrow('EEXIST');
    await expect(sweeps.plan(`${there}/none`)).rejects.toThrow('ENOTDIR');
    await sweeps.world.query(`update database_identity set system_identifier = 1 returning 1`);
    const lost = sweeps.file();
    await expect(sweeps.plan(lost)).rejects.toThrow('restored');
    await sweeps.world.query(
      `update database_identity set system_identifier = (select system_identifier from pg_control_system()) returning 1`,
    );
    expect(readdirSync(dirname(lost)).filter((name) => name.startsWith(lost.split('/').at(-1)!))).toEqual([]);
    expect(await sweeps.list()).toEqual([]);
    await sweepAll();
  });

  it('whole and to the sun: planned, signed, sent, final; its row has no wallet, and the audit finds nothing', async () => {
    const [before, addresses] = [await sweeps.sunOf(sweeps.treasury), [] as string[]];
    for (const sun of [5_000_001, 1_000_000, 77_654_321]) addresses.push(await sweeps.holding(sun));
    const small = await sweeps.holding(TRX - 1);
    await sweeps.settle();
    const plan = await sweeps.plan();
    expect(plan).toMatchObject({
      to: sweeps.treasury,
      sweeps: 3,
      sun: 83_654_322n,
      unread: 0,
      disputed: 0,
      underWay: 0,
    });
    expect(statSync(plan.file).mode & 0o777).toBe(0o600);
    expect(await sweeps.of(small)).toEqual([]);
    // A second plan has none of them.
    expect(await sweeps.plan()).toMatchObject({ sweeps: 0, sun: 0n, underWay: 3 });
    const signed = await sweeps.sign(plan.file, signedAt(plan));
    await sweeps.take(signed);
    await sweeps.send();
    await sweeps.settle();
    for (const address of addresses) {
      await sweeps.untilState(address, 'final');
      const [swept] = await sweeps.of(address);
      expect(await transactionsOf(swept!.tx_id)).toEqual([{ state: 'final', wallet_id: null }]);
      expect(await sweeps.sunOf(address)).toBe(0n);
    }
    expect((await sweeps.sunOf(sweeps.treasury)) - before).toBe(83_654_322n);
    expect((await sweeps.world.audit()).findings).toEqual([]);
    await sweeps.world.tryToReadWallets();
    const { uses } = await sweeps.world.app.app.get(WalletUses).lookNow();
    expect(uses.flatMap(({ differences }) => differences)).toEqual([]);
    const acts = await sweeps.world.query(
      `select action, after from audit_log where action like 'deposit.sweep%' and outcome = 'done' order by id desc limit 3`,
    );
    expect(acts.map(({ action }) => action)).toEqual([
      'deposit.sweep-send',
      'deposit.sweep-plan',
      'deposit.sweep-plan',
    ]);
    expect(acts[0]!['after']).toEqual({ sweeps: 3, trx: '83.654322', usdt: '0.000000', taken: 3 });
  });

  it('by the least that nodes say, and not where one says nothing', async () => {
    const address = await sweeps.holding(9 * TRX);
    await sweeps.settle();
    liar.status = ({ route }) => (route === 'walletsolidity/getaccount' ? 500 : undefined);
    const unread = await sweeps.plan();
    expect(unread.sweeps).toBe(0);
    expect(unread.unread).toBeGreaterThan(0);
    liar.status = () => undefined;
    // An address about which a node denies everything is left out, and counted.
    say(() => 0n);
    const denied = await sweeps.plan();
    expect(denied.sweeps).toBe(0);
    expect(denied.disputed).toBeGreaterThan(0);
    say((sun) => 10n * sun);
    const plan = await sweeps.plan();
    expect(plan).toMatchObject({ sweeps: 1, sun: 9_000_000n });
    expect(plan.disputed).toBeGreaterThan(0);
    liar.after = (_, answer) => answer;
    await sweeps.take(await sweeps.sign(plan.file, signedAt(plan)));
    await sweeps.send();
    await sweeps.settle();
    await sweeps.untilState(address, 'final');
  });

  it('never with other bytes, another key or without a plan: nothing of such a file is sent', async () => {
    const addresses = [await sweeps.holding(3 * TRX), await sweeps.holding(4 * TRX)] as const;
    await sweeps.settle();
    const signed = await sweeps.sign((await sweeps.plan()).file);
    const [one, other] = [signed[0]!, signed[1]!];
    for (const [entry, reason] of [
      [{ ...one, signature: other.signature }, 'another key'],
      [{ ...one, rawDataHex: other.rawDataHex }, 'other bytes'],
      [{ ...one, id: '01890a5d-ac96-774b-bcce-b302099a8057' }, 'no plan'],
    ] as const)
      await expect(sweeps.take([other, entry])).rejects.toThrow(reason);
    const elsewhere = await sweeps.world.startInstance({ DEPOSIT_SWEEP_TO: addresses[0] }, false);
    await expect(sweeps.take(signed, elsewhere)).rejects.toThrow('does not pay');
    await sweeps.world.stopInstance(elsewhere);
    expect((await sweeps.list()).filter(({ state }) => state !== 'final').map(({ state }) => state)).toEqual([
      'planned',
      'planned',
    ]);
    await sweeps.take(signed);
    await sweeps.send();
    await sweeps.settle();
    for (const address of addresses) await sweeps.untilState(address, 'final');
  });

  it('once, however many instances take up the same file, and again after it is over', async () => {
    const address = await sweeps.holding(6 * TRX);
    await sweeps.settle();
    const other = await sweeps.world.startInstance();
    const signed = await sweeps.sign((await sweeps.plan()).file);
    const both = [sweeps.world.app, other];
    await Promise.all([...both, ...both].map((app) => sweeps.take(signed, app)));
    await Promise.all(
      [...both, ...both].map(async (app) => {
        await sweeps.due();
        await sweeps.send(app);
      }),
    );
    await sweeps.settle();
    await sweeps.untilState(address, 'final');
    await sweeps.take(signed);
    await sweeps.send();
    expect(await sweeps.of(address)).toMatchObject([{ state: 'final' }]);
    expect(await transactionsOf((await sweeps.of(address))[0]!.tx_id)).toHaveLength(1);
    await sweeps.world.stopInstance(other);
  });

  it('in another block once a fork has dropped the first', async () => {
    const address = await sweeps.holding(8 * TRX);
    await sweeps.settle();
    await sweeps.take(await sweeps.sign((await sweeps.plan()).file));
    await sweeps.send();
    await sweeps.deposits.mine();
    await sweeps.untilState(address, 'included');
    await sweeps.world.control('fork', { from: await sweeps.deposits.head(), keep: [] });
    await sweeps.deposits.mine(2);
    // Until it is sent again, blocks come without it.
    await until('the sweep final', async () => {
      await sweeps.deposits.mine();
      return (await sweeps.of(address))[0]!.state === 'final';
    });
    expect(await sweeps.of(address)).toHaveLength(1);
  });

  it('when its address has bandwidth again: until then it waits, signed, and says so', async () => {
    const { address } = await sweeps.deposits.customer();
    for (let day = 0; day < 3; day++) {
      await sweeps.deposits.payTrx(address, 2 * TRX);
      await sweeps.settle();
      await sweeps.take(await sweeps.sign((await sweeps.plan()).file));
      await sweeps.send();
      await sweeps.settle();
    }
    expect((await sweeps.of(address)).map(({ state }) => state)).toEqual(['signed', 'final', 'final']);
    await until('why it waits', async () => (await sweeps.of(address))[0]!.error !== null);
    expect((await sweeps.of(address))[0]!.error).toMatch(/waits for bandwidth .* \d+ of \d+ bytes are free/);
    expect(await transactionsOf((await sweeps.of(address))[0]!.tx_id)).toEqual([]);
    await sweeps.later(11 * HOUR_MS);
    await waits(address, '10 minutes');
    await sweeps.send();
    expect(await sweeps.of(address)).toMatchObject([{ state: 'signed' }, {}, {}]);
    // Begun while the clock of the database was ahead.
    await waits(address, '1 day');
    await sweeps.send();
    await sweeps.settle();
    await sweeps.untilState(address, 'final');
    expect(await sweeps.sunOf(address)).toBe(0n);
  });

  it('only as far as it is there: a lone node that lies has a transaction refused, and nothing lost', async () => {
    const address = await sweeps.holding(5 * TRX);
    await sweeps.settle();
    const misled = await sweeps.world.startInstance({ TRON_FULL_NODE_URLS: liarUrl }, false);
    say((sun) => sun + 1n);
    const before = await sweeps.sunOf(sweeps.treasury);
    const plan = await sweeps.plan(sweeps.file(), 2_000_000n, misled);
    expect(plan).toMatchObject({ sweeps: 1, sun: 5_000_001n });
    await sweeps.world.stopInstance(misled);
    await sweeps.take(await sweeps.sign(plan.file, signedAt(plan)));
    await sweeps.send();
    // The schedule may have been faster than the call.
    await sweeps.untilState(address, 'refused');
    expect(await sweeps.of(address)).toMatchObject([
      { state: 'refused', error: expect.stringContaining('balance is not sufficient') },
    ]);
    expect(await sweeps.sunOf(sweeps.treasury)).toBe(before);
    liar.after = (_, answer) => answer;
    await sweeps.later(13 * HOUR_MS);
    await sweeps.untilState(address, 'expired');
    expect((await sweeps.of(address))[0]!.error).toContain('balance is not sufficient');
    const again = await sweeps.plan();
    expect(again).toMatchObject({ sweeps: 1, sun: 5_000_000n });
    // Signed by a machine whose clock follows the chain's.
    await sweeps.take(await sweeps.sign(again.file, signedAt(again)));
    await sweeps.send();
    await sweeps.settle();
    await sweeps.untilState(address, 'final');
    expect((await sweeps.sunOf(sweeps.treasury)) - before).toBe(5_000_000n);
  });

  it('in the next plan, when it has expired unsent', async () => {
    const address = await sweeps.holding(2 * TRX);
    await sweeps.settle();
    await sweeps.plan();
    await sweeps.later(13 * HOUR_MS);
    const again = await sweeps.plan();
    expect(again).toMatchObject({ sweeps: 1, sun: 2_000_000n });
    expect(await sweeps.of(address)).toMatchObject([
      { state: 'planned' },
      { state: 'expired', error: 'it was not signed and sent before it expired' },
    ]);
  });

  it('leaves nothing unexplained where the nodes have said what was there before it, and their block after it', async () => {
    const address = await sweeps.holding(6 * TRX);
    await sweeps.settle();
    const plan = await sweeps.plan();
    await sweeps.take(await sweeps.sign(plan.file, signedAt(plan)));
    const hex = toHexAddress(address);
    let isSwept = false;
    liar.after = async ({ route, body }, answer) => {
      if (route !== 'walletsolidity/getaccount' || body['address'] !== hex || isSwept) return answer;
      await sweeps.send();
      await sweeps.settle();
      await sweeps.untilState(address, 'final');
      isSwept = true;
      return answer;
    };
    const holdings = sweeps.world.app.app.get(UnexplainedHoldings);
    expect([await holdings.read(address), isSwept]).toEqual([true, true]);
    expect((await holdings.list()).filter((one) => one.address === address)).toEqual([]);
  });

  it('hides nothing that a contract pays to the address afterwards', async () => {
    const address = await sweeps.holding(7 * TRX);
    await sweeps.settle();
    await sweepAll();
    await sweeps.untilState(address, 'final');
    await sweeps.world.control('payment', { asset: 'TRX', payments: [{ address, amount: 5 * TRX }] });
    await sweeps.deposits.mine();
    await sweeps.settle();
    const holdings = sweeps.world.app.app.get(UnexplainedHoldings);
    await holdings.run(0);
    expect((await holdings.list()).filter((one) => one.address === address)).toMatchObject([{ sun: 5_000_000n }]);
  });
});
