import { DepositScanner } from '../../src/deposits/deposit-scanner';
import { VerifiedChain } from '../../src/chain/verified-chain/verified-chain';
import { DatabaseBackup } from '../support/database-backup';
import { until } from '../support/until';
import { DepositWorld, TRX } from './deposit-world';

describe('blocks that no instance was there for', () => {
  let deposits: DepositWorld;
  let backup: DatabaseBackup | undefined;
  beforeEach(async () => (deposits = await DepositWorld.open()));
  afterEach(async () => {
    await deposits.close();
    await backup?.drop();
    backup = undefined;
  });

  /** An instance that only serves, in the place of the one that follows blocks. */
  async function pause(): Promise<void> {
    const { world } = deposits;
    const following = world.app;
    await world.startInstance({}, false);
    await world.stopInstance(following);
  }
  const place = async () =>
    Number(
      (await deposits.world.query(`select number from followed_blocks where subscriber = 'deposits'`))[0]!['number'],
    );

  it('are read after a pause, and every deposit in them is credited once', async () => {
    const customers = [await deposits.customer(), await deposits.customer()];
    await pause();
    const from = await place();
    await deposits.rate(3_000_000n);
    const expected: Record<string, bigint> = {};
    for (let at = 1; at <= 12; at++) {
      const { address } = customers[at % 2]!;
      const isTrx = at % 3 > 0;
      const txid = await (isTrx ? deposits.payTrx(address, at * TRX) : deposits.payUsdt(address, (at + 10) * TRX));
      expected[`${txid}:0`] = BigInt(isTrx ? at * TRX : 3 * (at + 10) * TRX);
      await deposits.mine(15);
    }
    await deposits.mine(60);
    const again = await deposits.world.startInstance();
    const floor = await until('a chain', async () => again.app.get(VerifiedChain).headers?.floor);
    // The verified chain begins above: what is below proves itself by the headers that lead there.
    expect(floor).toBeGreaterThan(from + 100);
    await deposits.settle();
    expect(await deposits.credits()).toEqual(expected);
    expect(new Set(await deposits.states())).toEqual(new Set(['credited']));
  });

  it('are read again when a turn has forgotten one of them after the feed was answered that it is known', async () => {
    const customer = await deposits.customer();
    const scanner = deposits.world.app.app.get(DepositScanner);
    const knows = scanner.knows.bind(scanner);
    let forgotten = 0;
    scanner.knows = (id) => {
      const isKnown = knows(id);
      if (isKnown) {
        forgotten++;
        // Once the feed waits: it has asked of each of these blocks by then.
        queueMicrotask(() => scanner.onTurn(1_000_000));
      }
      return isKnown;
    };
    await deposits.payTrx(customer.address, 4 * TRX);
    await deposits.mine();
    await deposits.world.untilRow(`select 1 from deposits where state = 'seen'`);
    await deposits.settle();
    expect(forgotten).toBeGreaterThan(0);
    expect(await deposits.states()).toEqual(['credited']);
    expect(await deposits.balanceSun(customer)).toBe(4_000_000n);
  });

  it('are read on from where they were left while deposits were off', async () => {
    const customer = await deposits.customer();
    const { world } = deposits;
    const following = world.app;
    const off = await world.startInstance({ DEPOSIT_XPUB: '' });
    await world.stopInstance(following);
    const from = await place();
    await deposits.payTrx(customer.address, 4 * TRX);
    await deposits.mine(8);
    await until('a newer final block', async () => (off.app.get(VerifiedChain).headers?.final?.number ?? 0) > from + 4);
    expect([await place(), await deposits.balanceSun(customer)]).toEqual([from, 0n]);
    await world.startInstance();
    await world.stopInstance(off);
    await deposits.settle();
    expect(await deposits.balanceSun(customer)).toBe(4_000_000n);
  });

  it('are read again from a backup that was put back: what it has credited stays, what came after it is credited', async () => {
    const customer = await deposits.customer();
    const before = await deposits.payTrx(customer.address, 5 * TRX);
    await deposits.settle();
    backup = await DatabaseBackup.of(deposits.world.database.url);
    const after = await deposits.payTrx(customer.address, 7 * TRX);
    await deposits.settle();
    const credited = { [`${before}:0`]: 5_000_000n, [`${after}:0`]: 7_000_000n };
    expect(await deposits.credits()).toEqual(credited);
    await pause();
    await backup.restoreRows();
    expect(await deposits.credits()).toEqual({ [`${before}:0`]: 5_000_000n });
    await deposits.mine(3);
    await deposits.world.startInstance();
    await deposits.settle();
    expect(await deposits.credits()).toEqual(credited);
    expect(await deposits.balanceSun(customer)).toBe(12_000_000n);
  });
});
