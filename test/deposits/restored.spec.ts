import { DepositAddresses } from '../../src/deposits/deposit-addresses';
import { DatabaseBackup } from '../support/database-backup';
import { createTestApp, type TestApp } from '../support/test-app';
import { DepositWorld, XPUB } from './deposit-world';

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
});
