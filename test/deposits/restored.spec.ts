import { RestoreAdminService } from '../../src/admin/restore-admin.service';
import { DepositAddresses } from '../../src/deposits/deposit-addresses';
import { DatabaseBackup } from '../support/database-backup';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser } from '../support/panel-user';
import { createTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';
import { addressAt, DepositWorld, XPUB } from './deposit-world';

describe('deposit addresses in a restored database', () => {
  let deposits: DepositWorld;
  let backup: DatabaseBackup;
  let copy: TestApp;
  let caller: Awaited<ReturnType<DepositWorld['world']['caller']>>;
  beforeAll(async () => {
    deposits = await DepositWorld.open();
    const { world } = deposits;
    caller = await world.caller({});
    backup = await DatabaseBackup.of(world.database.url);
    const env = { TRON_FULL_NODE_URLS: world.chain.url, DEPOSIT_XPUB: XPUB };
    copy = await createTestApp({ env, databaseUrl: backup.url });
  });
  afterAll(async () => {
    await copy.close();
    await deposits.close();
    await backup.drop();
  });

  it('are given to none before restore:confirm, which an API call answers as an order in that state', async () => {
    await expect(copy.app.get(DepositAddresses).of(caller.id)).rejects.toThrow('restore:confirm');
    const headers = { authorization: `Bearer ${caller.token}` };
    const answer = await fetch(`${copy.url}/api/user/deposit-address`, { headers });
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([501, 'PAUSED']);
    expect(await copy.app.get(DepositAddresses).find(caller.id)).toBeNull();
  });

  it('are not given by the panel either, which says so in a customer’s words', async () => {
    const { email, password } = await insertPanelUser(copy, {});
    const client = new PanelClient(copy.url);
    await client.signIn(email, password);
    const { status, location } = await client.submit('/panel/top-up', '/panel/top-up');
    expect([status, location]).toEqual([303, '/panel/top-up']);
    expect((await client.get('/panel/top-up')).text).toContain('The service is paused');
  });

  it('are given after restore:confirm, beyond 1,000 that are left out, each known, also when the backup has none', async () => {
    await copy.app.get(RestoreAdminService).confirm({ id: null, address: 'test' }, { revokeTokens: false });
    const compared = {
      name: 'test_compared',
      text: 'select from database_identity where compared_block is not null and timeline is not null',
    };
    await until('a comparison', async () => (await copy.sql.rows(compared)).length === 1);
    const addresses = copy.app.get(DepositAddresses);
    expect(await addresses.of(caller.id)).toBe(addressAt(1_000));
    const [first, last, ...others] = await copy.sql.rows({
      name: 'test_left_out',
      text: `select address, number, count(*) over ()::int as rows from deposit_addresses
              where user_id is null and number in (0, 999) order by number`,
    });
    expect([first, last, others]).toEqual([
      { address: addressAt(0), number: 0, rows: 2 },
      { address: addressAt(999), number: 999, rows: 2 },
      [],
    ]);
  });
});
