import { RestoreAdminService } from '../../src/admin/restore-admin.service';
import { insertUser } from '../support/factories';
import { createTestApp, type TestApp } from '../support/test-app';

const CLI = { id: null, address: 'test' };
const WALLET = '01890a5d-ac96-774b-bcce-b302099a8057';

/** As of the backup; no instance runs on it yet. */
describe('a restored database that is confirmed', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    const userId = await insertUser(service.orm);
    await run(
      `insert into pool_wallets (id, name, address, role, key_source) values ('${WALLET}', 'main', 'a', 'delegate', 'env:NO_KEY')`,
    );
    await run(
      `insert into stake_operations (id, wallet_id, kind, resource, amount_sun, requested_by)
       values (gen_random_uuid(), '${WALLET}', 'unfreeze', 'energy', 5000000, 'olga')`,
    );
    await run(
      `insert into pending_sign_ins (key, user_id, epoch, first_step, network, expires_at)
       values ('step', '${userId}', 0, 'password', '', now() + interval '5 minutes')`,
    );
    await run(
      `insert into findings (kind, subject, reason, next_step)
       select kind, kind, 'r', 'n' from unnest(array['database_restored', 'low_stake']) kind`,
    );
    await run('update database_identity set database_oid = database_oid + 1');
  });
  afterAll(() => service?.close());

  const run = (text: string) => service.sql.execute({ name: '', text });
  const rows = (text: string) => service.sql.rows<Record<string, unknown>>({ name: '', text });

  it('carries out no stake operation and no sign-in that was begun before, and says so', async () => {
    await service.app.get(RestoreAdminService).confirm(CLI, { revokeTokens: false });
    const [operation] = await rows('select state, error from stake_operations');
    expect(operation).toEqual({ state: 'failed', error: expect.stringContaining('restored') as string });
    expect(await rows('select key from pending_sign_ins')).toEqual([]);
    expect(await rows('select kind from findings where resolved_at is null')).toEqual([{ kind: 'low_stake' }]);
    const [entry] = await rows(`select after ->> 'stake_operations_failed' as failed from audit_log`);
    expect(entry).toEqual({ failed: '1' });
  });
});
