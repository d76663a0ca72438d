import { DepositAdminService } from '../../src/admin/deposit-admin.service';
import { RestoreAdminService } from '../../src/admin/restore-admin.service';
import { BeginComparing } from '../../src/chain/verified-chain/begin-comparing';
import { DepositRates } from '../../src/deposits/deposit-rates';
import { DatabaseBackup } from '../support/database-backup';
import { type Customer, DepositWorld, TRX } from './deposit-world';

const ANN = { id: null, address: 'test' };
/** More than until the database remembers another final block. */
const MORE_BLOCKS = 25;
const LATER_MS = 600_000;

describe('what a USDT counts after the rows of a backup were put back', () => {
  let deposits: DepositWorld;
  let backup: DatabaseBackup;
  let customer: Customer;
  let txid: string;

  const admin = () => deposits.world.app.app.get(DepositAdminService);
  const stateOf = async (paidBy: string) =>
    (await deposits.world.query('select state, waits_for from deposits where txid = $1', [paidBy]))[0];
  const waiting = { state: 'waiting', waits_for: 'rate' };
  async function pay(): Promise<string> {
    const paidBy = await deposits.payUsdt(customer.address, 20 * TRX);
    await deposits.settle();
    return paidBy;
  }

  /** At the backup it is 3, at the payment 4. */
  beforeEach(async () => {
    deposits = await DepositWorld.open();
    await deposits.rate(3_000_000n);
    customer = await deposits.customer();
    backup = await DatabaseBackup.of(deposits.world.database.url);
    await deposits.rate(4_000_000n);
    txid = await pay();
    expect(await deposits.balanceSun(customer)).toBe(80_000_000n);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await deposits.close();
    await backup.drop();
  });

  /** Until an operator says what it counts; then the payments of before are credited by that. */
  async function waitsUntilSet(others = 0): Promise<void> {
    await deposits.untilCompared();
    const later = await pay();
    expect([await stateOf(txid), await stateOf(later)]).toEqual([waiting, waiting]);
    expect(await deposits.world.app.app.get(DepositRates).sunNow()).toBeNull();
    await admin().setRate(ANN, 5_000_000n);
    const last = await pay();
    expect(await stateOf(last)).toEqual({ state: 'credited', waits_for: null });
    expect(await admin().creditWaiting(ANN)).toEqual({ credited: 2 + others, failed: 0 });
    expect(await deposits.balanceSun(customer)).toBe(BigInt(3 + others) * 100_000_000n);
  }

  it('is not known for blocks that are read before or after restore:confirm, until an operator sets it', async () => {
    await deposits.world.stopInstance(deposits.world.app);
    await backup.replace();
    await deposits.world.startInstance();
    await deposits.settle();
    const before = await pay();
    expect([await stateOf(txid), await stateOf(before)]).toEqual([waiting, waiting]);
    await expect(admin().setRate(ANN, 5_000_000n)).rejects.toMatchObject({ code: 'deposit.rates-doubted' });
    await expect(admin().creditWaiting(ANN)).resolves.toEqual({ credited: 0, failed: 2 });
    // USDT that counts nothing is what holds anyhow.
    await admin().setRate(ANN, null);
    await deposits.world.app.app.get(RestoreAdminService).confirm(ANN, { revokeTokens: false });
    await waitsUntilSet(1);
  });

  it('is not known either where restore:confirm ran before an instance started', async () => {
    await deposits.world.stopInstance(deposits.world.app);
    await backup.replace();
    const idle = await deposits.world.startInstance({}, false);
    await idle.app.get(RestoreAdminService).confirm(ANN, { revokeTokens: false });
    await expect(admin().setRate(ANN, 5_000_000n)).rejects.toMatchObject({ code: 'deposit.rates-doubted' });
    await deposits.world.stopInstance(idle);
    await deposits.world.startInstance();
    await waitsUntilSet();
  });

  it('is not known after pg_restore --clean, before a comparison with the chain begins and after it', async () => {
    await deposits.world.stopInstance(deposits.world.app);
    await backup.restoreClean();
    const waits = jest.spyOn(BeginComparing.prototype, 'beginIfNeeded').mockResolvedValue();
    await deposits.world.startInstance();
    await deposits.settle();
    expect(await stateOf(txid)).toEqual(waiting);
    await expect(admin().setRate(ANN, 5_000_000n)).rejects.toMatchObject({ code: 'deposit.rates-doubted' });
    waits.mockRestore();
    await waitsUntilSet();
  });

  it('is not known after files were put back under an instance that goes on running', async () => {
    await deposits.world.control('clock', { ms: LATER_MS });
    await deposits.mine(MORE_BLOCKS);
    await deposits.world.untilRow(
      `select 1 from chain_identity where final_at > now() + $1::integer * interval '1 second'`,
      [LATER_MS / 2_000],
    );
    await deposits.untilFollowed();
    await backup.restoreRows();
    await deposits.settle();
    expect(await stateOf(txid)).toEqual(waiting);
    await deposits.mine(MORE_BLOCKS);
    await waitsUntilSet();
  });
});
