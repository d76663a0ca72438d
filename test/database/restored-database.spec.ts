import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { SIGNED_AFTER_ACTIVATION } from '../../src/delegation/order.statements';
import { ReclaimRepository } from '../../src/delegation/reclaim/reclaim.repository';
import { ReclaimSweeper } from '../../src/delegation/reclaim/reclaim.sweeper';
import { SessionService } from '../../src/auth/sessions/session.service';
import type { Identity } from '../../src/users/user-record';
import { DatabaseIdentity } from '../../src/database/identity/database-identity';
import { migrateDatabase } from '../../src/database/migrate-database';
import { CLAIM_RESENDS } from '../../src/chain/transactions/outbox/chain-transaction.statements';
import { PoolWalletRepository } from '../../src/chain/pool/wallets/pool-wallet.repository';
import { OPEN_WALLETS } from '../../src/chain/pool/wallets/pool-wallet.statements';
import { ReservationRepository } from '../../src/chain/pool/wallets/reservation.repository';
import { statement } from '../../src/database/statement';
import { DatabaseBackup } from '../support/database-backup';
import { type Caller, OrderWorld } from '../support/order-world';
import { ServiceProcess } from '../support/service-process';
import { SharedCommandLine } from '../support/shared-command-line';
import { createTestApp, type TestApp } from '../support/test-app';
import { createEmptyDatabase } from '../support/test-database';
import { until } from '../support/until';

const REASON = 'this database was restored or copied: nothing is signed until restore:confirm';
const SIGNED = { name: 'test_signed', text: 'select tx_id from chain_transactions' };

async function readiness(url: string) {
  const response = await fetch(`${url}/health/ready`);
  const { reason } = (await response.json()) as { reason?: string };
  return { status: response.status, reason };
}

describe('a copy of a database beside the running service', () => {
  let world: OrderWorld;
  let caller: Caller;
  let backup: DatabaseBackup;
  let copy: TestApp;
  let cli: SharedCommandLine;
  let due: string;
  let signedBefore: unknown[];
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 200 });
    caller = await world.caller();
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    due = answer.headers.get('x-delegation-id')!;
    await world.untilState(due, 'delegated');
    await world.query(
      "insert into sessions (key, user_id, data, expires_at) select $1, id, $2::jsonb, now() + interval '1 h' from users returning 1",
      ['k', '{}'],
    );
    await world.query(
      `insert into invitations (key, user_id, expires_at) select 'i', id, now() + interval '1 h' from users returning 1`,
    );
    await world.query(`update delegations set reclaim_due_at = now() + interval '1 day' where id = $1 returning id`, [
      due,
    ]);
    backup = await DatabaseBackup.of(world.database.url);
    const env = { TRON_FULL_NODE_URLS: world.chain.url, RECLAIM_SWEEP: '500ms' };
    copy = await createTestApp({ env, databaseUrl: backup.url });
    cli = SharedCommandLine.on(backup.url, { TRON_FULL_NODE_URLS: world.chain.url });
    await until('its own look at the chain', async () => (await readiness(copy.url)).reason === REASON);
    signedBefore = await copy.sql.rows(SIGNED);
  });
  afterAll(async () => {
    await cli.close();
    await copy.close();
    await world.close();
    await backup.drop();
  });
  const order = async (app: { url: string }, amount = 1) => {
    const body = { receiver_address: await world.receiver(), amount };
    const answer = await world.delegate(caller, body, {}, app);
    return answer.headers.get('x-error-code') ?? answer.status;
  };

  it('takes no order and holds nothing for one, with orders paused or not, while the original goes on', async () => {
    expect(await order(copy)).toBe('PAUSED');
    expect(await copy.sql.rows({ name: 'test_held', text: `select from holds where state = 'held'` })).toEqual([]);
    expect(await order(world.app)).toBe(200);
    expect((await readiness(world.app.url)).status).toBe(200);
    expect(await copy.sql.rows(SIGNED)).toEqual(signedBefore);
  });

  it('takes nothing back that is due', async () => {
    await copy.sql.rows({
      name: 'test_due',
      text: `update delegations set reclaim_due_at = now() - interval '1 day' returning 1`,
    });
    expect(await copy.app.get(ReclaimSweeper).sweep()).toEqual({ due: 1, sent: 0, failed: 0 });
    const run = await cli.run('reclaim:run', '--json');
    expect(JSON.parse(run.stdout)).toEqual({ due: 1, sent: 0, failed: 0 });
    expect(run.stderr).toContain('takes nothing back before restore:confirm');
    expect(await copy.sql.rows(SIGNED)).toEqual(signedBefore);
  });

  it('signs no delegation behind an activation that landed, and sends no bytes again, as the original would', async () => {
    const reopen = statement<[id: string]>(
      'test_reopen',
      `with sent as (
         update chain_transactions set state = 'sent', resend = true, expiration_ms = 9e12, created_at = now() - interval '1 min', last_sent_at = null
          where subject_id = $1)
       update delegations set state = 'activating', answer = 'none' where id = $1`,
    );
    const begun = async ({ sql }: TestApp) => {
      const counts = { resends: 0, signed: 0 };
      const undone = sql.transaction(async (tx) => {
        await tx.execute(reopen, [due]);
        counts.resends = (await tx.rows(CLAIM_RESENDS, [0, 10])).length;
        counts.signed = await tx.execute(SIGNED_AFTER_ACTIVATION, [due, ['activating'], 0, 1000]);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      return counts;
    };
    expect(await begun(copy)).toEqual({ resends: 0, signed: 0 });
    expect(await begun(world.app)).toEqual({ resends: 1, signed: 1 });
  });

  it('takes no stake, locks no payer and begins no reclaim for what had chosen its wallet before', async () => {
    const text = 'select id, role from pool_wallets order by role desc';
    const [lender, payer] = await world.app.sql.rows<{ id: string }>({ name: 'test_wallets', text });
    const nothingMissing = { shortageSun: 0n, headTimeMs: 0, rememberedNumber: 0, comparedBlock: null, takenBy: [] };
    const begun = async ({ app, sql }: TestApp) => {
      const done = { isTaken: false, isLocked: false, isBegun: false };
      const undone = sql.transaction(async (tx) => {
        done.isTaken = await app.get(ReservationRepository).take(tx, lender!.id, 1n);
        done.isLocked = await app.get(PoolWalletRepository).lock(tx, payer!.id);
        done.isBegun = await app.get(ReclaimRepository).begin(tx, { id: due, epoch: 0 }, nothingMissing);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      return done;
    };
    expect(await begun(copy)).toEqual({ isTaken: false, isLocked: false, isBegun: false });
    expect(await begun(world.app)).toEqual({ isTaken: true, isLocked: true, isBegun: true });
  });

  it('says so: readiness, a finding and doctor; look-ups, balances and commands work', async () => {
    expect(await readiness(copy.url)).toEqual({ status: 503, reason: REASON });
    const found = () => cli.json<{ kind: string; reason: string }[]>('finding:list');
    const [finding] = await until('a finding', async () => {
      const list = await found();
      return list.length > 0 && list;
    });
    expect(finding).toMatchObject({
      kind: 'database_restored',
      reason: expect.stringContaining('another database on its server') as string,
    });
    const doctor = JSON.parse((await cli.run('doctor', '--json')).stdout) as { findings: { kind: string }[] };
    expect(doctor.findings.map(({ kind }) => kind)).toContain('database_restored');
    const headers = { authorization: `Bearer ${caller.token}` };
    for (const path of ['/api/user/balance', `/api/chain/delegations/${due}`])
      expect((await fetch(`${copy.url}${path}`, { headers })).status).toBe(200);
  });

  it('is gone on with after restore:confirm alone, which needs no service, ends what the backup had and says what else it brings back', async () => {
    const [user] = await copy.sql.rows<{ id: string; epoch: number }>({
      name: 'test_user',
      text: 'select id, session_epoch as epoch from users',
    });
    const past = { userId: user!.id, sessionEpoch: user!.epoch } as Identity;
    const at = (await cli.run('restore:confirm', '--json')).stdout;
    const { brought_back: broughtBack, ...ended } = JSON.parse(at) as Record<string, unknown>;
    expect(ended).toEqual({ sessions_ended: 1, invitations_ended: 1, tokens_revoked: 0, mails_voided: 0 });
    expect(broughtBack).toEqual(
      expect.arrayContaining([
        'old_passwords',
        'old_addresses',
        'removed_second_factors',
        'decided_sign_ups',
        'shared_receipts',
        'spent_limits',
        'free_idempotency_keys',
        'lost_sweeps',
        'old_rates',
        'old_prices',
      ]),
    );
    const entries = await copy.sql.rows({
      name: 'test_entry',
      text: `select action, outcome, after ->> 'sessions_ended' as sessions from audit_log where action = 'restore.confirm'`,
    });
    expect(entries).toEqual([{ action: 'restore.confirm', outcome: 'done', sessions: '1' }]);
    // A sign-in that was past its check of the password.
    const origin = { network: '', browser: '', secondFactor: true, passwordAt: null };
    expect(await copy.app.get(SessionService).start('late', past, {}, 60_000, origin)).toBe(false);
    await until('it to be ready', async () => (await readiness(copy.url)).status === 200);
    await until('the finding closed', async () => (await cli.json<unknown[]>('finding:list')).length === 0);
    expect(await order(copy)).toBe(200);
    const again = await cli.run('restore:confirm');
    expect(again).toMatchObject({ exitCode: 1, stdout: '' });
    expect(again.stderr).toContain('nothing to confirm');
    // Lent energy is compared before it is taken back.
    const compared = {
      name: 'test_compared',
      text: 'select from database_identity where compared_block is not null and timeline is not null',
    };
    await until('a comparison', async () => (await copy.sql.rows(compared)).length === 1);
    expect(await copy.app.get(ReclaimSweeper).sweep()).toMatchObject({ sent: 0 });
  });

  it('revokes every token on demand', async () => {
    await copy.sql.rows({ name: 'test_moved', text: 'update database_identity set database_oid = 1 returning 1' });
    expect(await cli.json('restore:confirm', '--revoke-tokens')).toMatchObject({ tokens_revoked: 1 });
    const headers = { authorization: `Bearer ${caller.token}` };
    expect((await fetch(`${copy.url}/api/user/balance`, { headers })).status).toBe(401);
    expect((await fetch(`${world.app.url}/api/user/balance`, { headers })).status).toBe(200);
  });
});

describe('the identity of a database', () => {
  it('is missing while a restore is under way: nothing is signed, and a start that finds orders compares them first', async () => {
    const world = await OrderWorld.open({ block: 200 });
    try {
      const caller = await world.caller();
      const order = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
      const answer = await order();
      await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
      expect(await world.query('select 1 from database_identity where timeline is not null')).toHaveLength(1);
      await world.query('delete from database_identity returning 1');
      expect((await order()).headers.get('x-error-code')).toBe('PAUSED');
      await world.app.app.get(DatabaseIdentity).onModuleInit();
      await world.untilRow('select 1 from database_identity where compared_block is not null and timeline is not null');
      expect((await order()).status).toBe(200);
    } finally {
      await world.close();
    }
  });

  it('is read by a plain role, which is shown no settings', async () => {
    const database = await createEmptyDatabase();
    const owner = new Client(database.url);
    await owner.connect();
    const role = `plain_${process.pid}`;
    await owner.query(`create role ${role} login password 'secret'`);
    const url = Object.assign(new URL(database.url), { username: role, password: 'secret' }).href;
    await migrateDatabase({ url, migrationUrl: database.url });
    const service = await createTestApp({ databaseUrl: url, backgroundWork: false });
    try {
      const identity = service.app.get(DatabaseIdentity);
      expect(await identity.findDifference()).toBeNull();
      // As of an embedded server before.
      await owner.query(`update database_identity set data_directory = '/elsewhere'`);
      expect(await identity.findDifference()).toBeNull();
      expect(await service.sql.rows(OPEN_WALLETS)).toEqual([]);
      await owner.query('update database_identity set system_identifier = 1');
      expect(await identity.findDifference()).toBe('server');
    } finally {
      await service.close();
      await owner.query(`drop owned by ${role}; drop role ${role}`);
      await owner.end();
      await database.drop();
    }
  });
});

describe('an embedded database', () => {
  const places: string[] = [];
  const place = () => {
    const directory = mkdtempSync(join(tmpdir(), 'energy-delegation-service-'));
    chmodSync(directory, 0o755);
    places.push(directory);
    return join(directory, 'data');
  };
  afterAll(() => places.forEach((directory) => rmSync(directory, { recursive: true, force: true })));

  /** Started, asked and stopped again. */
  async function readinessIn(directory: string) {
    const service = new ServiceProcess({ LOCAL_CHAIN_BLOCK: '500ms', DATA_DIR: directory });
    try {
      const { url } = await service.printedOrder();
      return await until('readiness that is known', async () => {
        const ready = await readiness(new URL(url).origin);
        return (ready.status === 200 || ready.reason === REASON) && ready;
      });
    } finally {
      await service.stop('SIGTERM');
    }
  }

  it('is another one in a directory that was copied or moved, and the same one where it was', async () => {
    const [original, copy, moved] = [place(), place(), place()];
    expect(await readinessIn(original)).toMatchObject({ status: 200 });
    execFileSync('cp', ['-a', original, copy]);
    expect(await readinessIn(copy)).toEqual({ status: 503, reason: REASON });
    expect(await readinessIn(original)).toMatchObject({ status: 200 });
    renameSync(original, moved);
    expect(await readinessIn(moved)).toEqual({ status: 503, reason: REASON });
  });
});
