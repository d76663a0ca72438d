import BigNumber from 'bignumber.js';
import { v7 as uuid } from 'uuid';
import { CheckAdminService } from '../../src/admin/check-admin.service';
import { FindingAdminService } from '../../src/admin/finding-admin.service';
import { MoneyAdminService } from '../../src/admin/money-admin.service';
import { PoolAdminService } from '../../src/admin/pool-admin.service';
import { RestoreAdminService } from '../../src/admin/restore-admin.service';
import { SignUpAdminService } from '../../src/admin/sign-up-admin.service';
import { TokenAdminService } from '../../src/admin/token-admin.service';
import { UserAdminService } from '../../src/admin/user-admin.service';
import { AuditLog, type Operator } from '../../src/audit-log/audit-log';
import { InvitationService } from '../../src/auth/invitations/invitation.service';
import { SessionService } from '../../src/auth/sessions/session.service';
import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import { LedgerService } from '../../src/balance/ledger.service';
import { SubscriptionService } from '../../src/billing/subscription.service';
import { ReferenceBlocks } from '../../src/chain/verified-chain/reference-blocks';
import { WalletLoans } from '../../src/chain/pool/wallets/wallet-loans';
import { PoolWallets } from '../../src/chain/pool/wallets/pool-wallets';
import { ReclaimSweeper } from '../../src/delegation/reclaim/reclaim.sweeper';
import { finding } from '../../src/findings/finding';
import { FindingRepository } from '../../src/findings/finding.repository';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { insertUser } from '../support/factories';
import { HeldLock } from '../support/held-lock';
import { createTestApp, type TestApp } from '../support/test-app';

const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const OTHER_ADDRESS = 'TSwEcnY1Pu7BbZgU2aQH3Jv7h3SRJmSWmG';
const CHANGED = [
  'sign_ups',
  'users',
  'accounts',
  'ledger_entries',
  'api_tokens',
  'subscriptions',
  'invitations',
  'sessions',
  'pool_wallets',
  'order_switch',
  'database_identity',
  'findings',
];

interface Entry {
  actor_id: string | null;
  address: string;
  action: string;
  subject: string;
  outcome: string;
  before: unknown;
  after: unknown;
}

describe('what operators do', () => {
  let service: TestApp;
  let operator: Operator;
  let email: string;
  let userId: string;
  let tokenId: string;
  let subscriptionId: string;
  let findingId: bigint;

  const run = (text: string) => service.sql.execute({ name: '', text });
  const get = <Part>(part: new (...args: never[]) => Part) => service.app.get<Part>(part);

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    await run(
      `create function fail_audit() returns trigger language plpgsql as $$ begin raise 'the log is full'; end $$`,
    );
    const id = await insertUser(service.orm, { operator: true, email: 'olga@example.com' });
    operator = { id, address: '192.0.2.7' };
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    email = `${uuid()}@example.com`;
    userId = await insertUser(service.orm, { email, balance: 10 });
    const token = await get(ApiTokenService).create({ userId, name: 'shop', permissions: ['balance'] });
    tokenId = token.row.id;
    const quota = { userId, transactions: new BigNumber(5), days: 30, timeMs: Date.now() };
    subscriptionId = (await get(SubscriptionService).create(quota)).id;
    const origin = { network: '192.0.2.7', browser: 'none', secondFactor: false, passwordAt: null };
    await get(SessionService).start(uuid(), { userId, email, sessionEpoch: 0 }, {}, 60_000, origin);
    findingId = (await get(FindingRepository).seen(shortage(7n)))!.id;
    await run('delete from pool_wallets');
    await run('delete from order_switch');
    const wallet = {
      name: 'main',
      address: ADDRESS,
      role: 'delegate',
      keySource: 'env:NO_KEY',
      permissionId: 0,
    } as const;
    await get(PoolWallets).add(wallet);
  });

  const shortage = (sun: bigint) =>
    finding('shortage', { shortage_sun: sun.toString(), stake_sun: '9' }, { type: 'delegation', id: userId }, sun);

  async function rows(): Promise<string> {
    const found = await Promise.all(
      CHANGED.map((table) =>
        service.sql.rows({ name: '', text: `select to_jsonb(t)::text as row from ${table} t order by 1` }),
      ),
    );
    return JSON.stringify(found);
  }

  const lastEntry = () =>
    service.sql.row<Entry & Record<string, unknown>>({
      name: 'test_last_entry',
      text: 'select actor_id, address, action, subject, outcome, before, after from audit_log order by id desc limit 1',
    });

  async function withoutAuditLog(work: () => Promise<void>): Promise<void> {
    await run('create trigger fail before insert on audit_log for each row execute function fail_audit()');
    try {
      await work();
    } finally {
      await run('drop trigger fail on audit_log');
    }
  }

  const quota = { transactions: new BigNumber(10), days: 5 };
  const wallet = { address: OTHER_ADDRESS, role: 'activate', keySource: 'env:NO_KEY', permissionId: 0 } as const;
  const stranger = 'zoe@shop.example';
  const SIGNED_UP = `insert into sign_ups (id, email, name, password_hash, language, network, confirmed_at)
    values (gen_random_uuid(), '${stranger}', 'Zoe', 'x', 'en', '192.0.2.1', now())`;
  /** What has to be so before it can be done. */
  const PREPARATIONS: Readonly<Record<string, string>> = {
    'user.approve': SIGNED_UP,
    'user.refuse': SIGNED_UP,
    'user.enable': 'update users set disabled_at = now()',
    'user.withdraw-link': `insert into invitations (key, user_id, expires_at) select id, id, now() + interval '1 h' from users`,
    'orders.resume': 'insert into order_switch values (1, now())',
    'reclaims.resume': 'insert into order_switch values (2, now())',
    'restore.confirm': 'update database_identity set database_oid = 1',
  };
  const ACTS: readonly (readonly [action: string, act: () => Promise<unknown>])[] = [
    [
      'user.create',
      () => get(UserAdminService).create(operator, `new-${email}`, { name: 'New', unitPriceSun: 2_250_000n }),
    ],
    ['user.settings', () => get(UserAdminService).update(operator, email, { name: 'Renamed', rateLimitPerMinute: 9 })],
    ['user.disable', () => get(UserAdminService).disable(operator, email)],
    ['user.enable', () => get(UserAdminService).enable(operator, email)],
    ['user.refuse', () => get(SignUpAdminService).refuse(operator, stranger, 'exchanges only')],
    ['user.approve', () => get(SignUpAdminService).approve(operator, stranger)],
    ['user.email', () => get(SignUpAdminService).changeEmail(operator, email, `other-${email}`)],
    ['user.invite', () => get(UserAdminService).invite(operator, email)],
    ['user.withdraw-link', () => get(UserAdminService).withdrawLink(operator, email)],
    ['user.end-sessions', () => get(UserAdminService).endSessions(operator, email)],
    ['balance.credit', () => get(MoneyAdminService).move(operator, email, 'credit', { amountSun: 5n, note: 'in' })],
    ['balance.debit', () => get(MoneyAdminService).move(operator, email, 'debit', { amountSun: 5n, note: 'out' })],
    ['subscription.create', () => get(MoneyAdminService).addSubscription(operator, email, quota)],
    ['subscription.end', () => get(MoneyAdminService).endSubscription(operator, subscriptionId)],
    ['token.create', () => get(TokenAdminService).create(operator, email, { name: 'till', permissions: ['balance'] })],
    ['token.revoke', () => get(TokenAdminService).revoke(operator, tokenId)],
    ['wallet.add', () => get(PoolAdminService).addWallet(operator, { name: 'second', ...wallet })],
    ['wallet.update', () => get(PoolAdminService).updateWallet(operator, 'main', { permissionId: 2 })],
    ['wallet.update', () => get(PoolAdminService).updateWallet(operator, 'main', { keySource: 'env:OTHER_KEY' })],
    ['wallet.remove', () => get(PoolAdminService).removeWallet(operator, 'main')],
    ['wallet.state', () => get(PoolAdminService).setWalletState(operator, 'main', 'draining')],
    ['finding.acknowledge', () => get(FindingAdminService).acknowledge(operator, findingId, { note: 'seen' })],
    ['orders.pause', () => get(PoolAdminService).pause(operator, 'orders', 'upgrade')],
    ['orders.resume', () => get(PoolAdminService).resume(operator, 'orders')],
    ['reclaims.pause', () => get(PoolAdminService).pause(operator, 'reclaims', 'restore')],
    ['reclaims.resume', () => get(PoolAdminService).resume(operator, 'reclaims')],
    ['restore.confirm', () => get(RestoreAdminService).confirm(operator, { revokeTokens: true })],
  ];

  it.each(ACTS)('%s happens together with its entry in the audit log, or not at all', async (action, act) => {
    // No chain runs here.
    jest.spyOn(get(ReferenceBlocks), 'finalTimeMs').mockResolvedValue(Date.now());
    jest.spyOn(get(WalletLoans), 'find').mockResolvedValue({ address: ADDRESS, lentSun: 0n });
    if (PREPARATIONS[action]) await run(PREPARATIONS[action]);
    const before = await rows();
    await withoutAuditLog(async () => {
      await expect(act()).rejects.toThrow('the log is full');
      expect(await rows()).toBe(before);
    });
    await act();
    expect(await rows()).not.toBe(before);
    const entry = await lastEntry();
    expect(entry).toMatchObject({ actor_id: operator.id, address: '192.0.2.7', action, outcome: 'done' });
    // What was there before and is not named after it reads as gone.
    const [gone, left] = [entry!.before, entry!.after].map((facts) => Object.keys(facts ?? {}));
    if (!action.endsWith('.remove')) expect(left).toEqual(expect.arrayContaining(gone!));
  });

  it('of a wallet names in the log what was asked to change, and a key’s place only when it is another one', async () => {
    const change = (to: object) => get(PoolAdminService).updateWallet(operator, 'main', to);
    await change({ keySource: 'env:NO_KEY' });
    expect(await lastEntry()).toMatchObject({ before: {}, after: {} });
    await change({ keySource: 'env:OTHER_KEY' });
    expect(await lastEntry()).toMatchObject({ before: {}, after: { key_source: 'changed' } });
    await change({ permissionId: 2 });
    expect(await lastEntry()).toMatchObject({ before: { permission_id: 0 }, after: { permission_id: 2 } });
  });

  it('is filed under the user’s id, and found by the address of today and of an older entry', async () => {
    const [old, next] = [email, `next-${email}`];
    const log = get(AuditLog);
    await log.append(operator, { action: 'act.of-before', subject: `user ${old}`, outcome: 'done' });
    await get(UserAdminService).update(operator, old, { name: 'Renamed' });
    await run(`update users set email = '${next}' where id = '${userId}'`);
    await get(UserAdminService).disable(operator, next.toUpperCase());
    await expect(get(UserAdminService).disable(operator, old)).rejects.toThrow();
    expect(await lastEntry()).toMatchObject({ subject: `user ${old}`, outcome: 'refused' });
    const found = async (subject: string) =>
      (await log.list({ subject, limit: 9 })).map(({ action, subject: shown, subject_key }) => [
        action,
        shown,
        subject_key,
      ]);
    const mine = [
      ['user.disable', `user ${next}`, `user ${userId}`],
      ['user.settings', `user ${next}`, `user ${userId}`],
    ];
    expect(await found(`user ${next}`)).toEqual(mine);
    expect(await found(`user ${userId}`)).toEqual(mine);
    expect(await found(`user ${old}`)).toEqual([
      ['user.disable', `user ${old}`, `user ${old}`],
      ['act.of-before', `user ${old}`, `user ${old}`],
    ]);
    await run(`update users set email = '${old}' where id = '${userId}'`);
    expect((await found(`user ${userId}`)).map(([action]) => action)).toEqual([
      'user.disable',
      'user.disable',
      'user.settings',
      'act.of-before',
    ]);
  });

  it('is refused without a change, and the attempt is written down', async () => {
    const before = await rows();
    const asked = { amountSun: 10_000_001n, note: 'the operator’s words', reference: 'inv-9' };
    const debit = get(MoneyAdminService).move(operator, email, 'debit', asked);
    await expect(debit).rejects.toThrow('insufficient balance');
    expect(await rows()).toBe(before);
    expect(await lastEntry()).toMatchObject({
      action: 'balance.debit',
      subject: `user ${userId}`,
      outcome: 'refused',
      after: {
        amount: '10.000001',
        note: 'the operator’s words',
        reference: 'inv-9',
        refused: expect.stringContaining('insufficient balance') as string,
      },
    });
  });

  it('is recorded with what was before and after it, even when two do it simultaneously', async () => {
    const credit = (sun: bigint) =>
      get(MoneyAdminService).move(operator, email, 'credit', { amountSun: sun, note: 'in', reference: `r${sun}` });
    await Promise.all([1n, 2n, 3n, 4n, 5n].map(credit));
    const entries = await service.sql.rows<{ before: { balance: string }; after: { balance: string } }>({
      name: '',
      text: `select before, after from audit_log where subject = 'user ${userId}' order by id`,
    });
    const befores = entries.map(({ before }) => before.balance);
    expect(befores).toEqual(['10.000000', ...entries.slice(0, -1).map(({ after }) => after.balance)]);
    expect(entries.at(-1)!.after.balance).toBe('10.000015');
    await credit(1n);
    expect(await lastEntry()).toMatchObject({ after: { balance: '10.000015', repeated: true } });
  });

  it('concerns the user whose token or subscription it is, and shows the name of a token but not the token', async () => {
    await get(TokenAdminService).revoke(operator, tokenId);
    const shown = { id: tokenId, name: 'shop', prefix: expect.stringMatching(/^eds_/) as string };
    expect(await lastEntry()).toMatchObject({
      subject: `user ${userId}`,
      before: { ...shown, revoked: false },
      after: { ...shown, revoked: true },
    });
    const { token } = await get(TokenAdminService).create(operator, email, { name: 'till', permissions: ['balance'] });
    expect(JSON.stringify(await lastEntry())).not.toContain(token);
    jest.spyOn(get(ReferenceBlocks), 'finalTimeMs').mockResolvedValue(Date.now());
    await get(MoneyAdminService).endSubscription({ id: null, address: 'root@server' }, subscriptionId);
    expect(await lastEntry()).toMatchObject({ actor_id: null, address: 'root@server', subject: `user ${userId}` });
  });

  it('is written down before it begins where the chain takes part, and again when it has ended', async () => {
    const checks = get(CheckAdminService);
    const begun = jest.spyOn(get(Reconciler), 'run');
    await withoutAuditLog(async () => {
      await expect(checks.reconcile(operator, 'whole')).rejects.toThrow('the log is full');
      expect(begun).not.toHaveBeenCalled();
    });
    // No node is within reach.
    await expect(checks.reconcile(operator, 'whole')).rejects.toThrow();
    expect(await lastEntry()).toMatchObject({ action: 'reconcile', subject: 'service', outcome: 'failed' });
    jest.spyOn(get(ReclaimSweeper), 'sweep').mockResolvedValueOnce({ due: 2, sent: 1, failed: 1 });
    await checks.reclaimDue(operator);
    expect(await lastEntry()).toMatchObject({ action: 'reclaim.run', outcome: 'done', after: { due: 2, sent: 1 } });
  });

  it('makes the first operator together with the entry that says from where', async () => {
    await run('update users set operator = false');
    const invitations = get(InvitationService);
    const { url } = (await invitations.inviteFirstOperator())!;
    const chosen = {
      password: 'four words are enough',
      email: 'first@example.com',
      name: 'First',
      address: '192.0.2.9',
    };
    const redeem = () => invitations.redeem(new URL(url).searchParams.get('key')!, chosen);
    await withoutAuditLog(async () => {
      const before = await rows();
      await expect(redeem()).rejects.toThrow('the log is full');
      expect(await rows()).toBe(before);
    });
    const { userId: id } = await redeem();
    expect(await lastEntry()).toMatchObject({ actor_id: id, address: '192.0.2.9', action: 'user.create' });
    await run(`update users set operator = id in ('${id}', '${operator.id}')`);
  });

  it('is refused when somebody else has changed the price meanwhile, whom it has waited for', async () => {
    await get(UserAdminService).update(operator, email, { unitPriceSun: 2_500_000n });
    const user = `select 1 from users where id = '${userId}' for no key update`;
    const lock = await HeldLock.take(service.databaseUrl, user);
    const change = get(UserAdminService).update(
      operator,
      email,
      { unitPriceSun: 2_300_000n },
      { seen: { unitPriceSun: 2_500_000n } },
    );
    const refused = expect(change).rejects.toMatchObject({ code: 'user.unit-price-changed' });
    await lock.untilWaiting(1);
    await run(`update accounts set unit_price_sun = 2100000 where user_id = '${userId}'`);
    await lock.release();
    await refused;
  });

  it.each(['update', 'disable'] as const)(
    'leaves an operator when two remove each other at the same moment: %s',
    async (act) => {
      await run('update users set operator = false');
      const [one, two] = [`one-${act}@example.com`, `two-${act}@example.com`];
      const ids = await Promise.all([one, two].map((of) => insertUser(service.orm, { email: of, operator: true })));
      const lock = await HeldLock.take(service.databaseUrl, 'select 1 from users where operator for no key update');
      const remove = (by: string, whom: string) =>
        act === 'disable'
          ? get(UserAdminService).disable({ ...operator, id: by }, whom)
          : get(UserAdminService).update({ ...operator, id: by }, whom, { operator: false });
      const both = Promise.allSettled([remove(ids[0]!, two), remove(ids[1]!, one)]);
      await lock.untilWaiting(2);
      await lock.release();
      const refused = (await both).filter(({ status }) => status === 'rejected');
      expect(refused).toMatchObject([{ reason: { code: 'user.last-operator' } }]);
      const left = await service.sql.rows({
        name: '',
        text: 'select 1 from users where operator and disabled_at is null',
      });
      expect(left).toHaveLength(1);
      await run(`update users set operator = id = '${operator.id}'`);
    },
  );

  it('moves money once for one reference, however many ask for it at the same time', async () => {
    const movement = { amountSun: 7n, note: 'in', reference: 'invoice 1' };
    const moves = Array.from({ length: 10 }, () => get(MoneyAdminService).move(operator, email, 'credit', movement));
    expect((await Promise.all(moves)).filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(await get(LedgerService).listEntries(userId)).toHaveLength(2);
  });

  it('acknowledges the amount that was seen, and no run that found it before opens it again', async () => {
    const store = get(FindingRepository);
    const act = (seenSun?: bigint) =>
      get(FindingAdminService).acknowledge(operator, findingId, { note: ' the old key ', seenSun });
    await expect(act(6n)).rejects.toThrow('has meanwhile changed');
    // A run has looked at the rows, and keeps what it found while the operator's act commits.
    const committing = await HeldLock.take(
      service.databaseUrl,
      `update findings set acknowledged_at = now(), resolved_at = now(), note = 'x' where id = $1`,
      [findingId],
    );
    const kept = store.seen(shortage(7n));
    await committing.untilWaiting(1);
    await committing.release();
    expect(await kept).toBeNull();
    const ofIt = async () => (await store.list()).filter(({ subject }) => subject === shortage(7n).subject);
    expect(await ofIt()).toEqual([]);
    expect(await store.seen(shortage(8n))).toMatchObject({ isNew: true });
    findingId = (await ofIt())[0]!.id;
    expect(await act(8n)).toMatchObject({ id: findingId, note: 'the old key' });
    expect(await lastEntry()).toMatchObject({
      action: 'finding.acknowledge',
      subject: `finding ${findingId}`,
      after: { kind: 'shortage', subject: `delegation ${userId}`, amount_sun: '8', note: 'the old key' },
    });
    expect(await store.seen(shortage(8n))).toBeNull();
  });
});
