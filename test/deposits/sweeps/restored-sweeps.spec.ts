import { access } from 'node:fs/promises';
import { CLAIM_DUE, SENT } from '../../../src/deposits/sweeps/sweep.statements';
import { RestoreAdminService } from '../../../src/admin/restore-admin.service';
import { DatabaseBackup } from '../../support/database-backup';
import { createTestApp, type TestApp } from '../../support/test-app';
import { TRX, XPUB } from '../deposit-world';
import { ANN, SweepWorld } from './sweep-world';

const UNSENT = {
  name: 'test_unsent',
  text: `update deposit_sweeps set state = 'signed', waits_until = null returning 1`,
};

/** The original goes on with its sweeps: a second service that signs and sends would meet them with rows of before. */
describe('sweeps in a copy of the database beside the running service', () => {
  let sweeps: SweepWorld;
  let backup: DatabaseBackup;
  let copy: TestApp;
  beforeAll(async () => {
    sweeps = await SweepWorld.open();
    await sweeps.holding(5 * TRX);
    await sweeps.settle();
    await sweeps.take(await sweeps.sign((await sweeps.plan()).file));
    await sweeps.holding(6 * TRX);
    await sweeps.settle();
    backup = await DatabaseBackup.of(sweeps.world.database.url);
    const env = { TRON_FULL_NODE_URLS: sweeps.world.chain.url, DEPOSIT_XPUB: XPUB, DEPOSIT_SWEEP_TO: sweeps.treasury };
    copy = await createTestApp({ env, databaseUrl: backup.url });
    await copy.sql.rows(UNSENT);
  });
  afterAll(async () => {
    await copy.close();
    await sweeps.close();
    await backup.drop();
  });

  const rows = () =>
    copy.sql.rows<{ id: string; state: string }>({ name: 'test_sweeps', text: 'select id, state from deposit_sweeps' });
  /** What a process would claim and send now, undone. */
  async function begun(): Promise<{ claimed: number; sent: number }> {
    const { id } = (await rows())[0]!;
    const counts = { claimed: 0, sent: 0 };
    const undone = copy.sql.transaction(async (tx) => {
      await tx.rows(UNSENT);
      counts.claimed = (await tx.rows(CLAIM_DUE, [0, [id]])).length;
      counts.sent = await tx.execute(SENT, [id]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    return counts;
  }

  it('are neither claimed nor sent before restore:confirm, nor by a process that has claimed one before', async () => {
    expect(await begun()).toEqual({ claimed: 0, sent: 0 });
    await sweeps.send(copy);
    expect(await rows()).toMatchObject([{ state: 'signed' }]);
  });

  it('are not planned before restore:confirm, and no file is left of it', async () => {
    const file = sweeps.file();
    await expect(sweeps.plan(file, undefined, copy)).rejects.toMatchObject({ code: 'sweep.none-planned' });
    await expect(access(file)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await rows()).toHaveLength(1);
  });

  it('go on after it', async () => {
    await copy.app.get(RestoreAdminService).confirm(ANN, { revokeTokens: false });
    expect(await begun()).toEqual({ claimed: 1, sent: 1 });
    expect(await sweeps.plan(sweeps.file(), undefined, copy)).toMatchObject({ sweeps: 1, sun: 6_000_000n });
  });
});
