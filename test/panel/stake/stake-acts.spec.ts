import { heldIn, PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { CareWorld } from '../../stake-care/care-world';

const ACTS = ['vote', 'claim', 'freeze', 'unfreeze', 'withdraw', 'cancel-unfreeze'];

describe('acts with a stake in the panel', () => {
  let care: CareWorld;
  let client: PanelClient;
  let operator: PanelUserLogin;
  let page: string;

  beforeAll(async () => {
    care = await CareWorld.open();
    await care.world.tryToReadWallets();
    operator = await insertPanelUser(care.world.app, { operator: true });
    client = new PanelClient(care.world.app.url);
    await client.signIn(operator.email, operator.password);
    const [wallet] = await care.world.query(`select id from pool_wallets where name = 'pool'`);
    page = `/panel/operator/wallets/${String(wallet!['id'])}/stake`;
  });
  afterAll(() => care?.world.close());

  const text = async (path: string) => (await client.get(path)).text.replaceAll('\u202f', ' ');
  const queryOf = (act: string) => (['freeze', 'unfreeze'].includes(act) ? '?amount=5&resource=energy' : '');
  const act = (name: string, query = queryOf(name)) => client.fillIn(`${page}/${name}${query}`, `${page}/${name}`);
  const setCare = (fields: Record<string, string>) => client.fillIn(`${page}/care`, `${page}/care`, fields);
  const key = () => ({ key_kind: 'file', key: care.keyFile, permission_id: '3' });
  const careRow = async () => (await care.world.query('select * from stake_care'))[0];

  describe('without care', () => {
    it.each(ACTS)('refuse to %s, say why, and plan nothing', async (name) => {
      const refused = await act(name);
      expect([refused.sentStatus, refused.status]).toEqual([303, 422]);
      expect(refused.text).toContain('Pool has no stake care');
      expect(await care.operations()).toEqual([]);
    });

    it.each([
      [{}, 'key', 'Enter where the key is stored.'],
      [{ key: '/keys/care', key_kind: 'file' }, 'permission_id', 'Enter the permission id of the key, too.'],
      [{ key: 'CARE', permission_id: '3', votes: 'T=0' }, 'votes', '1 to 30 different witnesses'],
      [{ key: 'CARE', permission_id: '3', keep_liquid: '1e3' }, 'keep_liquid', 'Enter an amount such as 1000 or 12.5'],
      [{ key: 'not a name', permission_id: '3', keep_liquid: '7' }, 'key', 'name of an environment variable'],
    ])('the care is not switched on with %j, and the form keeps the rest', async (fields, wrong, reason) => {
      const refused = await setCare({ keep_liquid: '12.5', ...fields });
      expect([refused.sentStatus, refused.status]).toEqual([303, 422]);
      expect(refused.text.toLowerCase()).toContain(reason.toLowerCase());
      expect(refused.text).toContain(`href="#field-${wrong}"`);
      const kept = (fields as Record<string, string>)['keep_liquid'] ?? '12.5';
      expect(refused.text).toMatch(new RegExp(`name="keep_liquid"[^>]* value="${kept}"`));
      expect(await careRow()).toBeUndefined();
    });

    it('never sends a key back that was typed in the place of its name', async () => {
      const refused = await setCare({ key: care.privateKey, permission_id: '3' });
      expect(refused.status).toBe(422);
      expect(refused.text).not.toContain(care.privateKey);
    });
  });

  describe('with care', () => {
    it('switch it on by where its key is, with an entry in the audit log that does not say where', async () => {
      const [first, second] = care.witnesses;
      const set = await setCare({ ...key(), votes: `${first}=60,${second}=40`, keep_liquid: '500' });
      expect(set.location).toBe(`${page}?check=yes`);
      expect(await careRow()).toMatchObject({ claims: true, restakes: false, keep_liquid_sun: 500_000_000n });
      const shown = await text(`${page}?check=yes`);
      for (const part of ['Stake care was changed.', 'Stake care: on', 'No problem found', '500.000000'])
        expect(shown).toContain(part);
      const [entry] = await care.world.query(
        `select * from audit_log where action = 'stake.care' and outcome = 'done'`,
      );
      expect(entry).toMatchObject({ after: { key_source: 'changed', keep_liquid_sun: '500000000' } });
      expect(JSON.stringify(entry!['after'])).not.toContain(care.keyFile);
    });

    it('write only what was changed in a form: nothing over what a colleague has set since', async () => {
      const opened = await client.get(`${page}/care`);
      await setCare({ restakes: 'yes' });
      const fields = heldIn(opened.text, `${page}/care`)!;
      await client.post(`${page}/care`, { ...fields, claims: 'yes', keep_liquid: '700' });
      expect(await careRow()).toMatchObject({ restakes: true, keep_liquid_sun: 700_000_000n, permission_id: 3 });
      expect((await setCare({})).text).toContain('Nothing was changed.');
    });

    it('ask before a vote who gets how much, then vote', async () => {
      const power = await care.power();
      const second = Math.floor((power * 40) / 100);
      const asked = await text(`${page}/vote`);
      for (const part of ['Vote now?', `witness-`, String(second).replaceAll(/\B(?=(\d{3})+$)/g, ' ')])
        expect(asked).toContain(part);
      expect(await care.states()).toEqual([]);
      const voted = await act('vote');
      expect([voted.status, voted.location]).toEqual([303, page]);
      expect(await text(page)).toContain('vote: sent.');
      expect((await act('vote')).text).toContain('A vote of pool is under way');
      await care.settle();
      expect(await care.votes()).toEqual([power - second, second]);
      expect(await care.operations()).toMatchObject([{ kind: 'vote', state: 'final' }]);
      const entries = await care.world.query(
        `select actor_id from audit_log where action = 'stake.vote' and outcome = 'done'`,
      );
      expect(entries).toEqual([{ actor_id: operator.id }]);
    });

    it.each([
      ['freeze', '', 200, 'name="amount"'],
      ['freeze', '?amount=much', 422, 'Enter a positive number such as 1000 or 12.5'],
      ['unfreeze', '?amount=0', 422, 'Enter a positive number such as 1000 or 12.5'],
      ['unfreeze', '?amount=1.0000001', 422, 'Enter a positive number such as 1000 or 12.5'],
    ])('ask to %s%s for an amount first', async (name, query, status, part) => {
      const asked = await client.get(`${page}/${name}${query}`);
      expect(asked.status).toBe(status);
      expect(asked.text).toContain(part);
      expect(asked.text).not.toContain('class="danger"');
      const typed = new URLSearchParams(query).get('amount');
      if (typed !== null) expect(asked.text).toMatch(new RegExp(`name="amount"[^>]* value="${typed}"`));
    });

    it.each([
      ['freeze', '0.5', 'freezes 1 TRX or more'],
      ['unfreeze', '999999999999', 'neither delegated nor reserved for orders'],
    ])('refuse to %s %s TRX at the amount, which stays', async (name, amount, reason) => {
      const refused = await act(name, `?amount=${amount}&resource=energy`);
      expect([refused.sentStatus, refused.status]).toEqual([303, 422]);
      expect(refused.text).toContain(reason);
      expect(refused.text).toContain('href="#field-amount"');
      expect(refused.text).toMatch(new RegExp(`name="amount"[^>]* value="${amount}"`));
    });

    it('say before an unfreezing how many slots are left and when the TRX come, then do it and cancel it', async () => {
      const before = await care.account();
      const asked = await text(`${page}/unfreeze?amount=7&resource=energy`);
      expect(asked).toMatch(/Further unfreezings possible<\/dt><dd>31</);
      expect(asked).toMatch(/TRX available<\/dt><dd><time/);
      expect((await act('unfreeze', '?amount=7&resource=energy')).location).toBe(page);
      expect(await text(page)).toMatch(
        /unfreeze: sent\. The TRX are available from [\d-]+T[\d:]+Z\. 31 more unfreezings are possible/,
      );
      await care.settle();
      expect((await care.account()).unfrozenV2).toMatchObject([{ unfreeze_amount: 7_000_000 }]);
      const [row] = await care.world.query(
        `select o.requested_by, u.email || ' (' || a.address || ')' as audited from stake_operations o, audit_log a join users u on u.id = a.actor_id
          where o.kind = 'unfreeze' and a.action = 'stake.unfreeze' and a.outcome = 'done'`,
      );
      expect(row!['requested_by']).toBe(row!['audited']);
      expect(await text(page)).toContain('31 more unfreezings are possible now');
      expect(await text(`${page}/cancel-unfreeze`)).toContain('7.000000');
      await act('cancel-unfreeze');
      await care.settle();
      expect((await care.account()).frozenV2).toEqual(before.frozenV2);
    });

    it('begin one operation for a form, however late its page of the password sends it again', async () => {
      const path = `${page}/unfreeze`;
      const begun = async () => (await care.operations()).filter(({ kind }) => kind === 'unfreeze');
      const before = (await begun()).length;
      await care.world.query(`update sessions set password_at = null returning 1`);
      const asked = await act('unfreeze', '?amount=7&resource=energy');
      const kept = { ...heldIn(asked.text, path), password_again: operator.password };
      const refused = () => care.world.query(`select id from audit_log where outcome = 'refused'`);
      const refusedBefore = await refused();
      for (const state of ['sent', 'final']) {
        expect((await client.post(path, kept)).location).toBe(page);
        expect(await text(page)).toContain(`unfreeze: ${state}.`);
        await care.settle();
      }
      expect(await begun()).toHaveLength(before + 1);
      expect((await care.account()).unfrozenV2).toMatchObject([{ unfreeze_amount: 7_000_000 }]);
      expect(await refused()).toEqual(refusedBefore);
      // Another question is another form.
      expect((await act('unfreeze', '?amount=7&resource=energy')).location).toBe(page);
      await care.settle();
      expect(await begun()).toHaveLength(before + 2);
      const { form_key: _, ...without } = kept as Record<string, string>;
      expect((await client.post(path, without)).status).toBe(400);
    });

    it('begin one operation for two clicks, which lead to the same page', async () => {
      const before = (await care.operations()).length;
      const opened = await client.get(`${page}/cancel-unfreeze`);
      const form = heldIn(opened.text, `${page}/cancel-unfreeze`)!;
      const clicks = await Promise.all([1, 2].map(() => client.post(`${page}/cancel-unfreeze`, form)));
      expect(clicks.map(({ location }) => location)).toEqual([page, page]);
      await care.settle();
      expect(await care.operations()).toHaveLength(before + 1);
    });

    it('say that no node answers, and have done nothing', async () => {
      const fault = { route: 'walletsolidity/getaccount', kind: '500', count: 1000 };
      await care.world.control('fault', fault);
      const count = (await care.operations()).length;
      try {
        const refused = await act('claim');
        expect(refused.status).toBe(422);
        expect(refused.text).toContain('No node answers now, so nothing was done.');
      } finally {
        await care.world.control('fault', { ...fault, kind: 'none' });
      }
      expect(await care.operations()).toHaveLength(count);
    });

    it('are for operators alone, and take the password once more', async () => {
      const customer = await insertPanelUser(care.world.app, {});
      const theirs = new PanelClient(care.world.app.url);
      await theirs.signIn(customer.email, customer.password);
      const _csrf = /name="_csrf" value="([^"]+)"/.exec((await theirs.get('/panel/account')).text)![1]!;
      for (const name of [...ACTS, 'care', 'care/off'])
        expect([name, (await theirs.post(`${page}/${name}`, { _csrf })).status]).toEqual([name, 404]);
      await care.world.query(`update sessions set password_at = null returning 1`);
      const count = (await care.operations()).length;
      for (const name of [...ACTS, 'care/off'])
        expect([name, (await act(name)).text]).toEqual([name, expect.stringContaining('name="password_again"')]);
      expect(await care.operations()).toHaveLength(count);
      await care.world.query(`update sessions set password_at = now() returning 1`);
    });

    it('switch it off after a question', async () => {
      expect(await text(`${page}/care/off`)).toContain('Turn off stake care for this wallet?');
      expect(await careRow()).toBeDefined();
      expect((await act('care/off')).location).toBe(page);
      expect(await careRow()).toBeUndefined();
      expect(await text(page)).toContain('Stake care: off');
    });
  });
});
