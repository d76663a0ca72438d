import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { DepositWorld, TRX } from '../../deposits/deposit-world';

const PAGE = '/panel/top-up';

describe('top up in the panel', () => {
  let deposits: DepositWorld;
  let user: PanelUserLogin;
  let client: PanelClient;

  beforeAll(async () => {
    const env = { TOP_UP_TEXT: 'Or send a <bank> transfer.', DEPOSIT_MIN: '2.5', DEPOSIT_MIN_USDT: '15' };
    deposits = await DepositWorld.open({ env });
    user = await insertPanelUser(deposits.world.app, {});
    client = await signedIn(user);
  });
  afterAll(() => deposits?.close());

  async function signedIn({ email, password }: PanelUserLogin): Promise<PanelClient> {
    const browser = new PanelClient(deposits.world.app.url);
    await browser.signIn(email, password);
    return browser;
  }

  const addressesOf = (id: string) =>
    deposits.world.query('select address from deposit_addresses where user_id = $1', [id]);
  const shownAddress = (text: string) => /<code id="deposit-address">(T\w{33})<\/code>/.exec(text)?.[1];

  it('a GET makes no address; the button makes one, and a second click shows the same', async () => {
    const first = await client.get(PAGE);
    expect(first.text).toContain('You have no deposit address yet.');
    expect(shownAddress(first.text)).toBeUndefined();
    await client.get(PAGE);
    expect(await addressesOf(user.id)).toEqual([]);
    const clicks = await Promise.all([client.submit(PAGE, PAGE), client.submit(PAGE, PAGE)]);
    expect(clicks.map(({ status, location }) => [status, location])).toEqual([
      [303, PAGE],
      [303, PAGE],
    ]);
    const [made, ...others] = await addressesOf(user.id);
    expect(others).toEqual([]);
    const { text } = await client.get(PAGE);
    expect(shownAddress(text)).toBe(made!['address']);
    expect(text).toContain('data-copies="deposit-address"');
    expect(text).toMatch(/<svg class="qr" role="img" aria-label="Your deposit address as a QR code"/);
  });

  it('says the minimum of both assets, the rate in force, and the operator’s own words, escaped', async () => {
    const before = (await client.get(PAGE)).text;
    expect(before).toMatch(/Minimum, TRX<\/span><strong>2\.5</);
    expect(before).toMatch(/Minimum, USDT<\/span><strong>15</);
    expect(before).toContain('USDT waits for an operator');
    expect(before).toContain('<p>Or send a &lt;bank> transfer.</p>');
    await deposits.rate(3_150_000n);
    expect((await client.get(PAGE)).text).toMatch(/TRX for 1 USDT<\/span><strong>3\.15</);
  });

  it('shows what is on its way with its confirmations, then what was credited; a customer sees only the own', async () => {
    const other = await insertPanelUser(deposits.world.app, {});
    const theirs = await signedIn(other);
    await theirs.submit(PAGE, PAGE);
    await client.submit(PAGE, PAGE);
    const [{ address }] = (await addressesOf(user.id)) as [{ address: string }];
    await deposits.mine();
    const txid = await deposits.payTrx(address, 7 * TRX);
    await deposits.mine(2);
    await deposits.untilSeen(txid);
    const seen = (await client.get(PAGE)).text;
    expect(seen).toContain(txid);
    expect(seen).toMatch(/data-label="Confirmations"[^>]*><div class="cell">2</);
    expect(seen).toContain('on its way');
    await deposits.settle();
    const { text } = await client.get(PAGE);
    expect(text).toContain('No payment is on its way.');
    expect(text).toContain('credited');
    expect(text).toContain(txid);
    for (const path of [PAGE, `${PAGE}?after=ffffffff-ffff-ffff-ffff-ffffffffffff`]) {
      const shown = (await theirs.get(path)).text;
      expect(shown).not.toContain(txid);
      expect(shown).not.toContain(address);
    }
  });

  it('an address is escaped, wherever it comes from', async () => {
    const { id, ...login } = await insertPanelUser(deposits.world.app, {});
    const hex = `41${'0'.repeat(40)}`;
    await deposits.world.query(
      `insert into deposit_addresses (address, hex, account, number, user_id) values ('T<b>"x"</b>', $1, 'of no setting', 1, $2) returning 1`,
      [hex, id],
    );
    const { text } = await (await signedIn({ id, ...login })).get(PAGE);
    expect(text).toContain('<code id="deposit-address">T&lt;b>&quot;x&quot;&lt;/b></code>');
    expect(text).not.toContain('T<b>');
  });

  it('has the history by pages', async () => {
    const many = await insertPanelUser(deposits.world.app, {});
    const browser = await signedIn(many);
    await browser.submit(PAGE, PAGE);
    const [{ address }] = (await addressesOf(many.id)) as [{ address: string }];
    await deposits.world.query(
      `insert into deposits (id, user_id, address, asset, amount, txid, index, state, is_final)
       select ('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, $2, 'TRX', n, md5(n::text) || md5(n::text), 0, 'too_small', true
         from generate_series(1, 51) n returning 1`,
      [many.id, address],
    );
    const { text } = await browser.get(PAGE);
    expect(text.match(/below the minimum/g)).toHaveLength(50);
    const next = /<a href="([^"]+)" rel="next"/.exec(text)![1]!.replaceAll('&amp;', '&');
    expect((await browser.get(next)).text.match(/below the minimum/g)).toHaveLength(1);
  });

  it('is in the menu, and where a low balance and an answer without money lead to', async () => {
    await deposits.world.query('update accounts set low_balance_sun = 900000000000 where user_id = $1 returning 1', [
      user.id,
    ]);
    const { text } = await client.get('/panel/tokens');
    expect(text).toMatch(/<a href="\/panel\/top-up">Top up<\/a>/);
    expect(text).toMatch(/Your balance is low:[^<]*<a href="\/panel\/top-up"/);
    expect((await client.get('/panel/orders/failures')).text).toContain(
      '<a href="/panel/top-up">Top up, then order again.</a>',
    );
    expect((await client.get('/panel/balance')).text).not.toContain('How to top up');
  });

  it.each([
    ['the operator’s own words', { TOP_UP_TEXT: 'Send <TRX> to T1.' }, 200],
    ['no page', {}, 404],
  ])('without deposits there is %s', async (_, more, status) => {
    const { url } = await deposits.world.startInstance({ DEPOSIT_XPUB: '', TOP_UP_TEXT: '', ...more }, false);
    const browser = new PanelClient(url);
    await browser.signIn(user.email, user.password);
    const shown = await browser.get(PAGE);
    expect(shown.status).toBe(status);
    expect(shown.text.includes('<p>Send &lt;TRX> to T1.</p>')).toBe(status === 200);
    expect(shown.text).not.toContain('deposit-address');
    const count = (await deposits.world.query('select 1 from deposit_addresses')).length;
    expect((await browser.submit('/panel/account', PAGE)).status).toBe(404);
    expect(await deposits.world.query('select 1 from deposit_addresses')).toHaveLength(count);
    expect((await browser.get('/panel/tokens')).text).not.toContain('href="/panel/top-up">Top up</a></li>');
    expect((await browser.get('/panel/operator/deposits')).status).toBe(404);
  });
});
