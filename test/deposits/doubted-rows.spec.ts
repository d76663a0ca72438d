import { BeginComparing } from '../../src/chain/verified-chain/begin-comparing';
import { migrateDatabase } from '../../src/database/migrate-database';
import { DepositAddresses } from '../../src/deposits/deposit-addresses';
import { LEFT_OUT, LeftOutAddresses } from '../../src/deposits/left-out-addresses';
import { DatabaseBackup } from '../support/database-backup';
import { ReplicatedDatabase } from '../support/replicated-database';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';
import { addressAt, DepositWorld } from './deposit-world';

/** More than until the database remembers another final block, and than it may be old at a start. */
const LATER_MS = 600_000;
const MORE_BLOCKS = 25;
const DOUBTED = 'rows may be missing';

describe('a deposit address whose row is lost in the same database', () => {
  let deposits: DepositWorld;
  let backup: DatabaseBackup | undefined;
  beforeEach(async () => (deposits = await DepositWorld.open()));
  afterEach(async () => {
    jest.restoreAllMocks();
    await deposits.close();
    await backup?.drop();
    backup = undefined;
  });

  const of = (userId: string, { app }: TestApp = deposits.world.app) => app.get(DepositAddresses).of(userId);
  const newcomer = async () => (await deposits.world.caller({})).id;
  const withoutCustomer = async () =>
    (await deposits.world.query('select number from deposit_addresses where user_id is null')).length;

  /** After the backup a customer is given number 1, and the database remembers a later block. */
  async function giveAfterBackup(): Promise<{ lost: string; others: string[] }> {
    const { world } = deposits;
    await deposits.customer();
    const [lost, ...others] = [await newcomer(), await newcomer(), await newcomer(), await newcomer()];
    backup = await DatabaseBackup.of(world.database.url);
    expect(await of(lost)).toBe(addressAt(1));
    await later();
    await deposits.mine(MORE_BLOCKS);
    await world.untilRow(`select 1 from chain_identity where final_at > now() + $1::integer * interval '1 second'`, [
      LATER_MS / 2_000,
    ]);
    return { lost: lost, others };
  }
  const later = () => deposits.world.control('clock', { ms: LATER_MS });

  async function stopAll(): Promise<void> {
    await deposits.world.stopInstance(deposits.world.app);
  }

  /** A comparison has begun, and nothing was left out for it before a customer asks. */
  async function compare(): Promise<void> {
    await deposits.untilCompared();
    expect(await withoutCustomer()).toBe(0);
  }

  it("becomes no other customer's after pg_restore --clean: before a comparison with the chain begins, after it, or where a request is cut short", async () => {
    const { lost, others } = await giveAfterBackup();
    await stopAll();
    await backup!.restoreClean();
    const waits = jest.spyOn(BeginComparing.prototype, 'beginIfNeeded').mockResolvedValue();
    await deposits.untilGivesAddresses(await deposits.world.startInstance());
    await expect(of(others[0]!)).rejects.toThrow(DOUBTED);
    const { token } = await deposits.world.tokenOf(others[0]!);
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${deposits.world.app.url}/api/user/deposit-address`, { headers });
    expect(answer.headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
    waits.mockRestore();
    await compare();
    jest.spyOn(LeftOutAddresses.prototype, 'leaveOutMany').mockRejectedValueOnce(new Error('cut short'));
    await expect(of(others[0]!)).rejects.toThrow('cut short');
    expect(await of(others[0]!)).toBe(addressAt(1 + LEFT_OUT));
    expect(await of(lost)).toBe(addressAt(2 + LEFT_OUT));
    expect(await withoutCustomer()).toBe(LEFT_OUT);
  });

  it("becomes no other customer's after files were put back, not even before an instance has looked at the chain", async () => {
    const { others } = await giveAfterBackup();
    await stopAll();
    await backup!.restoreRows();
    await deposits.mine();
    const idle = await deposits.world.startInstance({}, false);
    await expect(of(others[0]!, idle)).rejects.toThrow(DOUBTED);
    await deposits.world.stopInstance(idle);
    await deposits.untilGivesAddresses(await deposits.world.startInstance());
    await compare();
    expect(await of(others[0]!)).toBe(addressAt(1 + LEFT_OUT));
  });

  it("becomes no other customer's after files were put back under an instance that goes on running", async () => {
    const { others } = await giveAfterBackup();
    await backup!.restoreRows();
    await expect(of(others[0]!)).rejects.toThrow(DOUBTED);
    await deposits.mine(MORE_BLOCKS);
    await compare();
    expect(await of(others[0]!)).toBe(addressAt(1 + LEFT_OUT));
  });

  it('is left out once, whichever instance is asked, and again only for the next loss', async () => {
    const { lost, others } = await giveAfterBackup();
    await stopAll();
    await backup!.restoreClean();
    const instances = [await deposits.world.startInstance(), await deposits.world.startInstance()];
    await Promise.all(instances.map((instance) => deposits.untilGivesAddresses(instance)));
    await compare();
    const given = await Promise.all([lost, ...others].map((id, at) => of(id, instances[at % 2])));
    expect(new Set(given)).toEqual(new Set([1, 2, 3, 4].map((number) => addressAt(number + LEFT_OUT))));
    expect(await withoutCustomer()).toBe(LEFT_OUT);
    const [next, last] = [await newcomer(), await newcomer()];
    await backup!.drop();
    backup = await DatabaseBackup.of(deposits.world.database.url);
    expect(await of(next)).toBe(addressAt(5 + LEFT_OUT));
    for (const instance of instances) await deposits.world.stopInstance(instance);
    await backup.restoreClean();
    await deposits.world.startInstance();
    const address = await until('an address', () => of(last).catch(() => null));
    expect(address).toBe(addressAt(5 + 2 * LEFT_OUT));
  });
});

describe('a deposit address whose row an asynchronous standby lacks', () => {
  let database: ReplicatedDatabase;
  let deposits: DepositWorld;
  beforeAll(async () => {
    database = await ReplicatedDatabase.open({ synchronous: false });
    await migrateDatabase({ url: database.url });
    deposits = await DepositWorld.open({ databaseUrl: async () => database.url });
  });
  afterAll(async () => {
    await deposits?.close();
    await database?.close();
  });

  it("becomes no other customer's once the standby is promoted", async () => {
    const addresses = deposits.world.app.app.get(DepositAddresses);
    const [{ id: lost }, { id: other }] = [await deposits.world.caller({}), await deposits.world.caller({})];
    await database.cutStandby();
    expect(await addresses.of(lost)).toBe(addressAt(0));
    database.killPrimary();
    await database.promoteStandby();
    expect(await until('an address', () => addresses.of(other).catch(() => null))).toBe(addressAt(LEFT_OUT));
  });
});
