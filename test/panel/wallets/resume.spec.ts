import { PoolAdminService } from '../../../src/admin/pool-admin.service';
import { AuditLog } from '../../../src/audit-log/audit-log';
import { PoolWallets } from '../../../src/chain/pool/wallets/pool-wallets';
import type { WalletRow } from '../../../src/chain/pool/wallets/wallet-row';
import { finding } from '../../../src/findings/finding';
import { FindingRepository } from '../../../src/findings/finding.repository';
import { WalletDoctor } from '../../../src/panel/wallets/wallet-doctor';
import { OrderWorld } from '../../support/order-world';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';

const LIST = '/panel/operator/wallets';
const RESUME = `${LIST}/resume`;
const RECEIVER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const SOMEBODY = { id: null, address: 'here' } as const;
const DESPITE = 'Takes orders despite this open finding';

describe('resuming a wallet', () => {
  let world: OrderWorld;
  let client: PanelClient;

  beforeAll(async () => {
    world = await OrderWorld.open();
    const operator = await insertPanelUser(world.app, { operator: true });
    client = new PanelClient(world.app.url);
    await client.signIn(operator.email, operator.password);
  });
  afterEach(async () => {
    await world.query('update findings set resolved_at = now() where resolved_at is null');
    await world.app.app.get(PoolAdminService).setWalletState(SOMEBODY, 'pool', 'active');
  });
  afterAll(() => world?.close());

  const wallet = async (): Promise<WalletRow> =>
    (await world.app.app.get(PoolWallets).list()).find(({ name }) => name === 'pool')!;
  const question = () => client.get(`${RESUME}?name=pool`);
  const resume = (fields: Record<string, string> = {}) => client.fillIn(`${RESUME}?name=pool`, RESUME, fields);
  const lastEntry = async () => (await world.query('select * from audit_log order by id desc limit 1'))[0]!;

  async function isLentOutside(receiver = RECEIVER): Promise<bigint> {
    const { id: walletId, name } = await wallet();
    const about = { type: 'delegated_resource', walletId, wallet: name, receiver } as const;
    const found = finding('delegation_foreign', { lent_sun: '50000000000', most_sun: '0' }, about);
    return (await world.app.app.get(FindingRepository).seen(found))!.id;
  }

  async function quarantine(): Promise<void> {
    await isLentOutside();
    const reconciler = { id: null, service: 'reconciler', address: 'here' } as const;
    await world.app.app.get(PoolAdminService).setWalletState(reconciler, 'pool', 'paused');
  }

  it('is never done by a click in the list or on its page', async () => {
    await quarantine();
    for (const page of [LIST, `${LIST}/${(await wallet()).id}`]) {
      const { text } = await client.get(page);
      expect(text).toContain(`<form method="get" action="${RESUME}"`);
      expect(text).not.toContain('value="active"');
      // A page of before may still have such a button.
      const answer = await client.submit(page, LIST, { name: 'pool', state: 'active' });
      expect(answer).toMatchObject({ status: 303, location: `${RESUME}?name=pool` });
      expect(await wallet()).toMatchObject({ state: 'paused' });
    }
  });

  it('of a quarantined one names the finding, and takes a reason that the audit log keeps with it', async () => {
    await quarantine();
    const asked = await question();
    for (const part of [
      'Resume this wallet?',
      'Stake delegated outside the service',
      'the chain shows 50000 TRX delegated',
      RECEIVER,
    ])
      expect(asked.text).toContain(part);
    const refused = await resume();
    expect(refused).toMatchObject({
      status: 422,
      text: expect.stringContaining('Give a reason: the problem above') as string,
    });
    expect(await wallet()).toMatchObject({ state: 'paused' });
    expect((await resume({ reason: 'lent by <Ann>, from her laptop' })).location).toBe(LIST);
    expect(await wallet()).toMatchObject({ state: 'active' });
    expect(await lastEntry()).toMatchObject({
      action: 'wallet.state',
      outcome: 'done',
      before: { state: 'paused' },
      after: {
        state: 'active',
        reason: 'lent by <Ann>, from her laptop',
        despite: [`delegation_foreign pool to ${RECEIVER}`],
      },
    });
  });

  it('says afterwards that it takes orders although the finding is open, in the list as well', async () => {
    await quarantine();
    await resume({ reason: 'for the test' });
    const { text } = await client.get(`${LIST}/${(await wallet()).id}`);
    expect(text).toContain(DESPITE);
    expect(text).not.toContain('Why it takes no orders');
    expect((await client.get(LIST)).text).toContain('takes orders although a finding is open');
    expect((await client.get('/panel/operator')).text).toContain('wallet takes orders despite an open finding');
  });

  it('is asked about again when something is found after the question was shown', async () => {
    await quarantine();
    const { text } = await question();
    const [, seen] = /name="seen" value="([^"]*)"/.exec(text)!;
    await isLentOutside('TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE');
    const answer = await client.submit(`${RESUME}?name=pool`, RESUME, { name: 'pool', reason: 'known', seen: seen! });
    expect(answer.status).toBe(422);
    for (const part of ['has since found more problems', 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'value="known"'])
      expect(answer.text).toContain(part);
    expect(await wallet()).toMatchObject({ state: 'paused' });
    expect((await resume({ reason: 'both known' })).status).toBe(303);
  });

  it('takes a reason too where the reconciler has paused it and nothing is found any more', async () => {
    await quarantine();
    await world.query('update findings set resolved_at = now() where resolved_at is null');
    expect((await resume()).status).toBe(422);
    expect((await resume({ reason: 'taken back by hand' })).status).toBe(303);
  });

  it.each(['draining', 'paused'])(
    'takes a reason too where it was made %s since the reconciler has paused it',
    async (state) => {
      await quarantine();
      await world.query('update findings set resolved_at = now() where resolved_at is null');
      expect((await client.submit(LIST, LIST, { name: 'pool', state })).status).toBe(303);
      expect((await resume()).status).toBe(422);
      expect(await wallet()).toMatchObject({ state });
      expect((await resume({ reason: 'looked at by hand' })).status).toBe(303);
      expect(await lastEntry()).toMatchObject({ after: { state: 'active', quarantined: true } });
      // What ended a quarantine has ended it.
      await client.submit(LIST, LIST, { name: 'pool', state: 'paused' });
      expect((await resume()).status).toBe(303);
    },
  );

  it('takes a reason too after whatever else was done to it, and its page says who paused it', async () => {
    await quarantine();
    await world.query('update findings set resolved_at = now() where resolved_at is null');
    const log = world.app.app.get(AuditLog);
    for (const action of ['wallet.update', 'wallet.state'])
      for (let times = 0; times < 30; times += 1)
        await log.append(SOMEBODY, { action, subject: 'wallet pool', outcome: 'refused', after: { state: 'active' } });
    expect((await client.get(`${LIST}/${(await wallet()).id}`)).text).toContain('by reconciler');
    expect((await resume()).status).toBe(422);
    expect(await wallet()).toMatchObject({ state: 'paused' });
  });

  it('takes the reason of the act itself: one that was quarantined after the question was answered stays so', async () => {
    await quarantine();
    await world.query('update findings set resolved_at = now() where resolved_at is null');
    const act = world.app.app.get(PoolAdminService).resumeWallet(SOMEBODY, 'pool', { reason: null, seenIds: [] });
    await expect(act).rejects.toThrow('give a reason why it may take orders');
    expect(await wallet()).toMatchObject({ state: 'paused' });
  });

  it('names what may mean a stolen key before all else, however much is open, and how much more there is', async () => {
    const own = await isLentOutside();
    // Of a kind that no job looks at again.
    const others = await world.query(
      `insert into findings (kind, subject, wallet_id, reason, next_step)
       select 'of_a_later_version', 'pool ' || n, $1, 'odd', 'look' from generate_series(1, 24) n returning id`,
      [(await wallet()).id],
    );
    await client.submit(LIST, LIST, { name: 'pool', state: 'paused' });
    const { text } = await question();
    expect(text).toContain(RECEIVER);
    expect(text).toContain('and 5 more');
    expect(text.indexOf('Stake delegated outside the service')).toBeLessThan(text.indexOf('pool 24'));
    // What is not in sight of the operator is looked at by the act.
    const seenIds = others.map(({ id }) => BigInt(id as string));
    const act = world.app.app.get(PoolAdminService).resumeWallet(SOMEBODY, 'pool', { reason: 'known', seenIds });
    await expect(act).rejects.toThrow('has since found more problems');
    expect(seenIds).not.toContain(own);
    expect((await resume({ reason: 'known' })).status).toBe(303);
  });

  it('waits for the doctor, however slow the nodes are, before it needs no reason', async () => {
    await client.submit(LIST, LIST, { name: 'pool', state: 'paused' });
    const diagnosis = {
      kind: 'missing_permission',
      subject: 'pool',
      reason: 'it may not',
      next_step: 'allow it',
    } as const;
    const ask = jest.spyOn(world.app.app.get(WalletDoctor), 'ask');
    ask.mockImplementation((_wallet, patient) => Promise.resolve(patient ? [diagnosis] : null));
    try {
      expect((await resume()).status).toBe(422);
      expect(await wallet()).toMatchObject({ state: 'paused' });
      expect((await resume({ reason: 'another instance can' })).status).toBe(303);
    } finally {
      ask.mockRestore();
    }
  });

  it('takes no reason where an operator has paused it and nothing speaks against it', async () => {
    await client.submit(LIST, LIST, { name: 'pool', state: 'paused' });
    expect((await question()).text).not.toMatch(/name="reason"[^>]* required/);
    expect((await resume()).status).toBe(303);
    expect(await wallet()).toMatchObject({ state: 'active' });
    expect(await lastEntry()).toMatchObject({ after: { state: 'active' } });
  });

  describe('of one whose key cannot be read', () => {
    let source: string;
    beforeEach(async () => {
      source = (await wallet()).key_source;
      await world.query(`update pool_wallets set key_source = 'env:NO_SUCH_KEY' where name = 'pool'`);
    });
    afterEach(() => world.query('update pool_wallets set key_source = $1 where name = $2', [source, 'pool']));

    it('names that and takes a reason', async () => {
      await client.submit(LIST, LIST, { name: 'pool', state: 'paused' });
      expect((await question()).text).toContain('NO_SUCH_KEY is not set');
      expect((await resume()).status).toBe(422);
      expect(await wallet()).toMatchObject({ state: 'paused' });
      expect((await resume({ reason: 'the other instance has it' })).status).toBe(303);
    });

    it('counts nothing of it as available, and says so on its page for as long as it is so', async () => {
      const pages = ['/panel/operator', `${LIST}/${(await wallet()).id}`];
      for (const page of pages) {
        const { text } = await client.get(page);
        expect([page, /Available now: 0 energy = 0 transactions/.test(text)]).toEqual([page, true]);
        expect(text).toContain('Idle: ');
        expect(text).not.toContain('Available in the next 24 hours');
      }
      for (let times = 0; times < 2; times += 1) {
        const { text } = await client.get(pages[1]!);
        expect(text).toContain('NO_SUCH_KEY is not set');
        expect(text).toContain('Active, but takes no orders: its key cannot be read or used');
        expect(text).not.toContain(DESPITE);
      }
      const list = await client.get(LIST);
      expect(list.text).toContain('its key cannot be read or used');
      await world.query('update pool_wallets set key_source = $1 where name = $2', [source, 'pool']);
      expect((await client.get(pages[1]!)).text).not.toContain('NO_SUCH_KEY');
    });
  });
});
