import { DatabaseBackup } from '../support/database-backup';
import { OrderWorld } from '../support/order-world';
import { SharedCommandLine } from '../support/shared-command-line';

describe('a database in which pg_restore --clean has put rows back', () => {
  let world: OrderWorld;
  let backup: DatabaseBackup;
  let cli: SharedCommandLine;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 200 });
    await world.caller();
    await world.query(
      `insert into sessions (key, user_id, data, expires_at) select 'k', id, '{}', now() + interval '1 h' from users returning 1`,
    );
    backup = await DatabaseBackup.of(world.database.url);
    cli = SharedCommandLine.on(world.database.url, { TRON_FULL_NODE_URLS: world.chain.url });
  });
  afterAll(async () => {
    await cli?.close();
    await world?.close();
    await backup?.drop();
  });

  it('loses the sessions of the backup by restore:confirm before an instance starts, and is compared with the chain after it', async () => {
    const refused = { exitCode: 1, stdout: '', stderr: expect.stringContaining('nothing to confirm') as string };
    expect(await cli.run('restore:confirm')).toMatchObject(refused);
    await world.stopInstance(world.app);
    await backup.restoreClean();
    expect(await cli.json('restore:confirm')).toMatchObject({ sessions_ended: 1 });
    expect(await cli.run('restore:confirm')).toMatchObject(refused);
    await world.startInstance();
    await world.untilRow('select 1 from database_identity where compared_block is not null and timeline is not null');
    expect(await cli.run('restore:confirm')).toMatchObject(refused);
  });
});
