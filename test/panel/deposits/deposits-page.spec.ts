import { heldIn, PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { type Customer, DepositWorld, TRX } from '../../deposits/deposit-world';

const PAGE = '/panel/operator/deposits';
const RATE = `${PAGE}/rate`;

describe('deposits in the panel', () => {
  let deposits: DepositWorld;
  let client: PanelClient;
  let operatorId: string;
  let customer: Customer;
  let waiting: string;

  beforeAll(async () => {
    deposits = await DepositWorld.open();
    const operator = await insertPanelUser(deposits.world.app, { operator: true });
    operatorId = operator.id;
    client = new PanelClient(deposits.world.app.url);
    await client.signIn(operator.email, operator.password);
    customer = await deposits.customer();
    await deposits.payUsdt(customer.address, 20 * TRX);
    await deposits.payTrx(customer.address, TRX / 2);
    await deposits.settle();
    const shown = await deposits.list(customer, '?state=waiting');
    waiting = shown[0]!.id;
  });
  afterAll(() => deposits?.close());

  const emailOf = async ({ id }: { id: string }) =>
    String((await deposits.world.query('select email from users where id = $1', [id]))[0]!['email']);
  const audited = (action: string) =>
    deposits.world.query(`select actor_id, after from audit_log where action = $1 and outcome = 'done' order by id`, [
      action,
    ]);
  const ratesSet = () => deposits.world.query('select sun_per_usdt from deposit_rates order by id');

  it('are for operators alone', async () => {
    const other = await insertPanelUser(deposits.world.app, {});
    const theirs = new PanelClient(deposits.world.app.url);
    await theirs.signIn(other.email, other.password);
    for (const path of [PAGE, RATE, `${PAGE}/${waiting}/credit`]) {
      expect([path, (await theirs.get(path)).status]).toEqual([path, 404]);
    }
    for (const path of [RATE, `${PAGE}/${waiting}/credit`])
      expect([path, (await theirs.submit('/panel/account', path, { rate: '1', note: 'x' })).status]).toEqual([
        path,
        404,
      ]);
  });

  it('show what waits and why, and the list by state and customer', async () => {
    const email = await emailOf(customer);
    const { text } = await client.get(PAGE);
    expect(text).toContain('USDT without a rate in force');
    expect(text).toContain(`action="${PAGE}/${waiting}/credit"`);
    expect(text).toContain('No rate is set.');
    const states = async (query: string) =>
      [
        ...(await client.get(`${PAGE}?${query}`)).text.matchAll(
          /data-label="State"[^>]*><div class="cell"><span[^>]*>([^<]+)</g,
        ),
      ].map(([, state]) => state!);
    expect(new Set(await states(''))).toEqual(new Set(['below the minimum', 'waits for an operator']));
    expect(await states('state=too_small')).toEqual(['below the minimum']);
    for (const spelling of [email, ` ${email.toUpperCase()}`])
      expect(await states(`user=${encodeURIComponent(spelling)}&state=waiting`)).toEqual(['waits for an operator']);
    const unknown = await client.get(`${PAGE}?user=%3Cb%3E%40example.com`);
    expect(unknown.status).toBe(422);
    expect(unknown.text).toContain('No user has this e-mail address.');
    expect(unknown.text).not.toContain('<b>');
  });

  it('say of what waits for an operator what the note says, and nothing else', async () => {
    const set = (waitsFor: string, note: string | null) =>
      deposits.world.query('update deposits set waits_for = $2, note = $3 where id = $1 returning 1', [
        waiting,
        waitsFor,
        note,
      ]);
    await set('operator', 'block 7 was accepted without proof');
    const { text } = await client.get(PAGE);
    await set('rate', null);
    expect(text).toMatch(/the service could not credit it by itself<small[^>]*>block 7 was accepted without proof</);
  });

  it('credit no USDT without a rate, and say where one is set', async () => {
    const asked = await client.get(`${PAGE}/${waiting}/credit`);
    expect(asked.text).toContain('Set one first.');
    expect(asked.text).toContain(`href="${RATE}"`);
    await client.submit('/panel/account', `${PAGE}/${waiting}/credit`, { note: 'x', worth_sun: '63000000' });
    expect((await client.get(PAGE)).text).toContain('No rate is in force, or it is too old');
    expect(await deposits.balanceSun(customer)).toBe(0n);
  });

  it.each(['0', '-1', 'much', '1.0000001', '<b>'])(
    'ask for another rate than %s, and keep what was typed',
    async (rate) => {
      const refused = await client.get(`${RATE}?${new URLSearchParams({ rate }).toString()}`);
      expect(refused.status).toBe(422);
      expect(refused.text).toContain('Enter a positive number');
      expect(refused.text).not.toContain('<b>');
      const posted = await client.submit('/panel/account', RATE, { rate });
      expect([posted.sentStatus, posted.status]).toEqual([303, 422]);
      expect(await ratesSet()).toEqual([]);
    },
  );

  it('set a rate after a question, with its entry in the audit log', async () => {
    const question = `${RATE}?rate=3.15`;
    expect((await client.get(question)).text).toContain('Set this rate?');
    expect(await ratesSet()).toEqual([]);
    expect((await client.fillIn(question, RATE)).location).toBe(PAGE);
    expect(await ratesSet()).toEqual([{ sun_per_usdt: 3_150_000n }]);
    expect(await audited('deposit.rate')).toMatchObject([
      { actor_id: operatorId, after: { trx_per_usdt: '3.150000' } },
    ]);
    expect((await client.get(PAGE)).text).toMatch(/TRX for 1 USDT<\/span><strong>3\.15</);
    expect(await deposits.balanceSun(customer)).toBe(0n);
  });

  it('set no rate over one that a colleague has set since the question was shown', async () => {
    const opened = heldIn((await client.get(`${RATE}?rate=3.2`)).text, RATE)!;
    await client.fillIn(`${RATE}?rate=3.3`, RATE);
    const refused = await client.post(RATE, opened);
    expect([refused.status, refused.text.includes('href="#field-rate"')]).toEqual([422, true]);
    expect(refused.text).toContain('The rate has meanwhile been changed');
    const { newest_rate: _, ...without } = opened;
    expect((await client.post(RATE, without)).status).toBe(400);
    await client.fillIn(`${RATE}?rate=3.15`, RATE);
    expect((await ratesSet()).map(({ sun_per_usdt: sun }) => sun)).toEqual([3_150_000n, 3_300_000n, 3_150_000n]);
  });

  it('set no rate over one that is set in the very moment', async () => {
    const before = await ratesSet();
    const pages = await Promise.all(['4', '5', '6'].map((rate) => client.get(`${RATE}?rate=${rate}`)));
    const answers = await Promise.all(pages.map(({ text }) => client.post(RATE, heldIn(text, RATE)!)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 422, 422]);
    expect(await ratesSet()).toHaveLength(before.length + 1);
    await client.fillIn(`${RATE}?rate=3.15`, RATE);
  });

  it.each(['31.5', '3.0'])('credit nothing but the amount of the question: at %s it is asked again', async (rate) => {
    const path = `${PAGE}/${waiting}/credit`;
    const opened = await client.get(path);
    expect(opened.text).toContain('Credit 63.000000 TRX');
    await client.fillIn(`${RATE}?rate=${rate}`, RATE);
    const refused = await client.post(path, { ...heldIn(opened.text, path), note: 'looked at' });
    const now = (20 * Number(rate)).toFixed(6);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(`The deposit is meanwhile worth ${now} TRX, so nothing was credited`);
    expect(refused.text).toContain(`Credit ${now} TRX`);
    expect(heldIn(refused.text, path)).toMatchObject({
      worth_sun: String(20_000_000 * Number(rate)),
      note: 'looked at',
    });
    const { worth_sun: _, ...without } = heldIn(opened.text, path)!;
    expect((await client.post(path, { ...without, note: 'x' })).status).toBe(400);
    await client.fillIn(`${RATE}?rate=3.15`, RATE);
    expect(await deposits.balanceSun(customer)).toBe(0n);
    expect(await deposits.world.query(`select 1 from ledger_entries where kind = 'deposit'`)).toEqual([]);
  });

  it('ask for the password and a note before a credit', async () => {
    const path = `${PAGE}/${waiting}/credit`;
    await deposits.world.query('update sessions set password_at = null returning 1');
    expect((await client.fillIn(path, path, { note: 'x' })).text).toContain('name="password_again"');
    await deposits.world.query('update sessions set password_at = now() returning 1');
    const refused = await client.fillIn(path, path, { note: ' ' });
    expect([refused.status, refused.text.includes('href="#field-note"')]).toEqual([422, true]);
    const long = await client.fillIn(path, path, { note: 'x'.repeat(501) });
    expect([long.status, long.text.includes('href="#field-note"')]).toEqual([422, true]);
    expect(await deposits.balanceSun(customer)).toBe(0n);
  });

  it('credit once, whatever two clicks send, with the note in ledger and audit log', async () => {
    const path = `${PAGE}/${waiting}/credit`;
    expect((await client.get(path)).text).toContain('Credit 63.000000 TRX');
    const clicks = await Promise.all([1, 2].map(() => client.fillIn(path, path, { note: 'rate came late' })));
    expect(clicks.map(({ location }) => location)).toEqual([PAGE, PAGE]);
    expect(await deposits.balanceSun(customer)).toBe(63_000_000n);
    expect(await audited('deposit.credit')).toMatchObject([
      { actor_id: operatorId, after: { id: waiting, note: 'rate came late', credited: '63.000000' } },
    ]);
    const notes = await deposits.world.query(`select note from ledger_entries where kind = 'deposit'`);
    expect(notes).toEqual([{ note: 'rate came late' }]);
    const after = await client.get(path);
    expect(after.text).toContain('This deposit cannot be credited');
    expect(after.text).not.toContain(`action="${path}"`);
    expect((await client.get(PAGE)).text).toContain('No deposit is waiting.');
  });

  it('credit what waits for a rate with the next one where that is ticked, then take the rate back', async () => {
    await client.fillIn(`${RATE}?off=yes`, RATE);
    await deposits.payUsdt(customer.address, 10 * TRX);
    await deposits.settle();
    expect((await client.get(`${RATE}?rate=2`)).text).toContain('Also credit 1 deposit that waits for a rate');
    await client.fillIn(`${RATE}?rate=2`, RATE, { credit_waiting: 'yes' });
    expect(await deposits.balanceSun(customer)).toBe(83_000_000n);
    await client.fillIn(`${RATE}?off=yes`, RATE);
    expect((await ratesSet()).at(-1)).toEqual({ sun_per_usdt: null });
    expect((await client.get(PAGE)).text).toContain('No rate is set.');
  });

  it('show what no deposit explains with the way to the finding, and sweeps', async () => {
    await deposits.world.query(
      'update deposit_addresses set unexplained_sun = 5000000, unexplained_since = now() where address = $1 returning 1',
      [customer.address],
    );
    await deposits.world.query(
      `insert into deposit_sweeps (id, address, asset, amount, state, tx_id, raw_data, bytes, expiration_ms, ref_block_number, error)
       values (gen_random_uuid(), $1, 'TRX', 7000000, 'expired', repeat('ab', 32), '\\x00', 1, 1, 1, 'it was <late>') returning 1`,
      [customer.address],
    );
    const { text } = await client.get(PAGE);
    expect(text).toContain('<a href="/panel/operator/findings">See the finding and what to do</a>');
    expect(text).toContain('5.000000');
    expect(text).toContain('7.000000');
    expect(text).toContain('it was &lt;late>');
  });
});
