import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { CareWorld, HOUR_MS } from '../../stake-care/care-world';

const WALLETS = '/panel/operator/wallets';

describe('the page of a stake', () => {
  let care: CareWorld;
  let client: PanelClient;
  let page: string;

  beforeAll(async () => {
    care = await CareWorld.open();
    const operator = await insertPanelUser(care.world.app, { operator: true });
    client = new PanelClient(care.world.app.url);
    await client.signIn(operator.email, operator.password);
    const [wallet] = await care.world.query(`select id from pool_wallets where name = 'pool'`);
    page = `${WALLETS}/${String(wallet!['id'])}/stake`;
  });
  afterAll(() => care?.world.close());

  const text = async (path = page) => (await client.get(path)).text.replaceAll('\u202f', ' ');

  it('says of a wallet without care what to do, offers none of the acts, and is linked from the wallet', async () => {
    expect(await text(page.replace('/stake', ''))).toContain(`href="${page}"`);
    const shown = await text();
    for (const part of ['Stake care: off', 'Turn on stake care', 'stake:care pool', 'The wallet votes for no witness.'])
      expect(shown).toContain(part);
    expect(shown).not.toContain('Vote now');
    expect(shown).not.toContain('role="alert"');
  });

  it('is not there for a wallet that pays for activations, nor for a customer', async () => {
    const [other] = await care.world.query(`select id from pool_wallets where role = 'activate'`);
    expect((await client.get(`${WALLETS}/${String(other!['id'])}/stake`)).status).toBe(404);
    const customer = await insertPanelUser(care.world.app, {});
    const theirs = new PanelClient(care.world.app.url);
    await theirs.signIn(customer.email, customer.password);
    expect((await theirs.get(page)).status).toBe(404);
  });

  it('shows power, votes with the names of witnesses, what was claimed by day, and operations with their ends', async () => {
    await care.care();
    await care.run();
    await care.settle();
    for (const _ of [1, 2]) await care.later(6 * HOUR_MS);
    await care.run();
    await care.settle();
    // What the claim has brought is read once it is final.
    await care.run();
    const [claim] = await care.world.query('select day::text, claimed_sun from stake_rewards');
    const shown = await text(`${page}?check=yes`);
    const { url } = await nameOf(care.witnesses[0]!);
    for (const part of [
      'Stake care: on',
      'Vote now',
      String(await care.power()).replaceAll(/\B(?=(\d{3})+$)/g, ' '),
      url,
      care.witnesses[1]!.slice(-6),
      String(claim!['day']),
      'stake care',
      'No problem found',
      '32 more unfreezings are possible now',
    ])
      expect(shown).toContain(part);
    expect(shown.match(/class="badge good">final</g)).toHaveLength(2);
    // The first claim says nothing of how long its reward took.
    expect(shown).toMatch(/Yearly yield from rewards<\/dt><dd>–/);
    await care.later(24 * HOUR_MS);
    await care.run();
    await care.settle();
    await care.run();
    expect(await text()).toMatch(/Yearly yield from rewards<\/dt><dd>\d+\.\d\d %/);
  });

  it('shows what the database has while no node answers, and says so', async () => {
    const fault = { route: 'walletsolidity/getaccount', kind: '500', count: 1000 };
    await care.world.control('fault', fault);
    try {
      // Over by the chain's time, which is more than a day ahead of this machine's.
      const unfreezing = [{ resource: 'ENERGY', sun: '1000000', availableMs: Date.now() + 12 * HOUR_MS }];
      await care.world.query(`update pool_wallets set unfreezing = $1 where name = 'pool'`, [
        JSON.stringify(unfreezing),
      ]);
      const shown = await text();
      for (const part of [
        'No node answers at the moment.',
        'role="alert"',
        care.witnesses[0]!.slice(-6),
        'Stake care: on',
        'final',
      ])
        expect(shown).toContain(part);
      expect(shown).toContain('32 more unfreezings are possible now');
    } finally {
      await care.world.control('fault', { ...fault, kind: 'none' });
    }
  });

  it('shows why an operation has failed', async () => {
    await care.world.query(
      `insert into stake_operations (id, wallet_id, kind, resource, amount_sun, requested_by, state, error)
       select gen_random_uuid(), id, 'freeze', 'energy', 7000000, 'ann@here', 'failed', 'balance <is> low' from pool_wallets
        where name = 'pool' returning 1`,
    );
    const shown = await text();
    for (const part of ['balance &lt;is> low', 'ann@here', 'class="badge bad">failed', '7.000000'])
      expect(shown).toContain(part);
  });

  async function nameOf(address: string): Promise<{ readonly url: string }> {
    const { witnesses } = (await care.world.node('wallet/listwitnesses', { visible: true })) as {
      witnesses: { address: string; url: string }[];
    };
    return witnesses.find((one) => one.address === address)!;
  }
});
