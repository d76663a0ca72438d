import { utils } from 'tronweb';
import { PoolAdminService } from '../../../src/admin/pool-admin.service';
import { OrderWorld } from '../../support/order-world';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { BROAD, DELEGATE_ALONE, LENDING, setActives, TRANSFER_ALONE } from '../../support/restricted-key';

const NEW = '/panel/operator/wallets/new';

describe('what the node fills in of a wallet that is added', () => {
  let world: OrderWorld;
  let panel: PanelClient;
  let address: string;
  const pageOf = async (of: string) => (await panel.get(`${NEW}?address=${of}`)).text.replaceAll('\u202f', ' ');
  /** Each permission: its id, whether it is chosen, what it allows, and what that means. */
  const permissions = (text: string) =>
    [...text.matchAll(/<input type="radio"[^>]*name="permission_id"[^>]*>.*?<\/div>/gs)].map(([choice]) => [
      /value="(\d)"/.exec(choice)![1],
      / checked/.test(choice),
      /<label[^>]*>([^<]*)/.exec(choice)![1],
      /<small[^>]*>([^<]*)/.exec(choice)![1],
    ]);

  beforeAll(async () => {
    world = await OrderWorld.open();
    const operator = await insertPanelUser(world.app, { operator: true });
    panel = new PanelClient(world.app.url);
    await panel.signIn(operator.email, operator.password);
    address = world.chain.accounts.find(({ role }) => role === 'pool')!.address;
  });
  afterAll(() => world?.close());

  it('is asked for by the address first, and says what is no address', async () => {
    const { text } = await panel.get(NEW);
    expect(text).toMatch(
      /<form method="get" action="\/panel\/operator\/wallets\/new"[^>]*><div class="field"><label for="field-address"/,
    );
    expect(text).not.toContain('name="key"');
    // The masks of keys that can do no more, to be copied.
    expect(text).toContain(`<code id="operations-delegate">${LENDING}</code>`);
    expect(text).toContain(`<code id="operations-activate">${TRANSFER_ALONE}</code>`);
    const wrong = await panel.get(`${NEW}?address=T123`);
    expect([wrong.status, wrong.text.includes('T123 is not a TRON address')]).toEqual([422, true]);
    expect(wrong.text).not.toContain('name="key"');
  });

  it('says that there is no such account, and leaves the permission to be typed', async () => {
    const text = await pageOf(utils.accounts.generateAccount().address.base58);
    expect(text).toContain('The node knows no account with this address.');
    expect(permissions(text)).toEqual([]);
    expect(text).toContain('id="field-permission_id"');
  });

  it('says that an account has nothing to delegate', async () => {
    const text = await pageOf(await world.receiver());
    expect(text).toContain('this account has nothing to delegate yet');
    expect(text).toMatch(/<dt>TRX<\/dt><dd><span class="amount">1\.000000/);
  });

  it('is stake, TRX and each permission with its operations, the one that fits chosen', async () => {
    const [key, second] = [0, 1].map(() => utils.accounts.generateAccount().address.base58);
    const operations = [BROAD, LENDING, DELEGATE_ALONE, TRANSFER_ALONE].map((mask) => ({
      operations: mask,
      key: key!,
    }));
    const shared = { operations: LENDING, key: key!, second };
    // The first that fits, but for one that two keys have to sign by.
    await setActives(world, [shared, ...operations]);
    const text = await pageOf(address);
    const shown = await world.node('wallet/getaccount', { address, visible: true });
    const staked = (shown['frozenV2'] as { type?: string; amount?: number }[]).find(({ type }) => type === 'ENERGY')!;
    const trx = (sun: number) => (sun / 1_000_000).toFixed(6).replace(/\B(?=(\d{3})+\.)/g, ' ');
    expect(text).toContain(`<dt>Staked for energy, TRX</dt><dd><span class="amount">${trx(staked.amount!)}`);
    expect(text).toContain(`<dt>TRX</dt><dd><span class="amount">${trx(shown['balance'] as number)}`);
    const [owner, both, broad, lending, half, transfer, ...more] = permissions(text);
    expect(more).toEqual([]);
    expect(owner).toEqual(['0', false, 'Permission 0: everything', expect.stringContaining('Keep its key offline.')]);
    expect(both).toEqual(['2', false, 'Permission 2: delegate, reclaim', expect.stringContaining('several keys')]);
    expect(broad).toEqual([
      '3',
      false,
      expect.stringMatching(/^Permission 3: .* and \d+ more$/),
      expect.stringContaining('more than'),
    ]);
    expect(lending).toEqual([
      '4',
      true,
      'Permission 4: delegate, reclaim',
      'Exactly what a wallet that delegates needs.',
    ]);
    expect(half).toEqual(['5', false, 'Permission 5: delegate', 'Does not allow what the service needs.']);
    expect(transfer).toEqual([
      '6',
      false,
      'Permission 6: send TRX',
      'Exactly what a wallet that activates receivers needs.',
    ]);
  });

  it('is kept with the choice when the form is refused, and added as chosen', async () => {
    const form = { name: ' ', role: 'activate', key_kind: 'env', key: 'POOL_KEY_9', permission_id: '6', address };
    const refused = await panel.submit(`${NEW}?address=${address}`, NEW, form);
    expect(refused.status).toBe(422);
    expect(
      permissions(refused.text)
        .filter(([, isChosen]) => isChosen)
        .map(([id]) => id),
    ).toEqual(['6']);
    // An account is in the pool once.
    expect((await panel.submit(`${NEW}?address=${address}`, NEW, { ...form, name: 'payer' })).status).toBe(422);
    await world.app.app.get(PoolAdminService).removeWallet({ id: null, address: 'server-1' }, 'pool');
    const added = await panel.submit(`${NEW}?address=${address}`, NEW, { ...form, name: 'payer' });
    expect(added.location).toMatch(/\/panel\/operator\/wallets\/[0-9a-f-]{36}\?check=yes$/);
    expect(await world.query(`select role, permission_id, state from pool_wallets where name = 'payer'`)).toEqual([
      { role: 'activate', permission_id: 6, state: 'paused' },
    ]);
  });

  it('is left to the operator while no node answers', async () => {
    const fault = { route: 'wallet/getaccount', kind: '500', count: 1000 };
    await world.control('fault', fault);
    try {
      const { status, text } = await panel.get(`${NEW}?address=${address}`);
      expect(status).toBe(200);
      expect(text).toContain('No node answers at the moment. Fill in the rest by hand.');
      expect(text).toContain('id="field-permission_id"');
    } finally {
      await world.control('fault', { ...fault, kind: 'none' });
    }
  });
});
