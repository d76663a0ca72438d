import { PoolWallets } from '../../../src/chain/wallets/pool-wallets';
import type { OrderView } from '../../../src/delegation/lookup/order-lookup';
import { UserService } from '../../../src/users/user.service';
import { OrderWorld } from '../../support/order-world';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';

describe('the search', () => {
  let world: OrderWorld;
  let ann: PanelUserLogin;
  let clients: Record<'ann' | 'bob' | 'operator', PanelClient>;
  let order: OrderView;

  beforeAll(async () => {
    world = await OrderWorld.open();
    ann = await insertPanelUser(world.app, { email: 'ann@example.com', balance: 100 });
    await world.app.app.get(UserService).update(ann.email, { name: 'Ann 100% <Müller>' });
    const bob = await insertPanelUser(world.app, { email: 'bob@example.com' });
    const operator = await insertPanelUser(world.app, { operator: true, email: 'olga@example.com' });
    const signedIn = async ({ email, password }: PanelUserLogin) => {
      const client = new PanelClient(world.app.url);
      await client.signIn(email, password);
      return client;
    };
    clients = { ann: await signedIn(ann), bob: await signedIn(bob), operator: await signedIn(operator) };
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const answer = await world.delegate(await world.tokenOf(ann.id), body, { 'Idempotency-Key': 'invoice 7/b' });
    order = (await world.show(answer.headers.get('x-delegation-id')!))!;
  });
  afterAll(() => world?.close());

  const find = (who: keyof typeof clients, text: string) =>
    clients[who].get(`/panel/search?q=${encodeURIComponent(text)}`);

  const ways = (): [string, string][] => [
    ['txid', order.txid!],
    ['txid as explorers write it', `0x${order.txid!.toUpperCase()}`],
    ['receiver', order.receiver],
    ['id', order.id],
    ['id in capitals', order.id.toUpperCase()],
  ];

  it('leads to the one order that a txid, an address or an id means, with blanks around it too', async () => {
    for (const [way, text] of ways()) {
      const found = [(await find('ann', `  ${text}\n`)).location, (await find('operator', `\t${text} `)).location];
      expect([way, ...found]).toEqual([way, `/panel/orders/${order.id}`, `/panel/operator/orders/${order.id}`]);
    }
    for (const key of ['invoice 7/b', 'invoice 7/b, invoice 7/b']) {
      expect((await find('ann', key)).location).toBe(`/panel/orders/${order.id}`);
    }
    expect((await find('ann', ',')).text).toContain('Nothing was found');
  });

  it("finds nothing of another customer's, and no users or wallets for a customer", async () => {
    const others = [...ways().map(([, text]) => text), 'invoice 7/b', 'ann', 'Müller', 'pool'];
    for (const text of others) {
      const { status, text: page } = await find('bob', text);
      expect([text, status, page.includes('Nothing was found')]).toEqual([text, 200, true]);
      expect(page).not.toContain('ann@example.com');
    }
  });

  it('finds users by a part of address or name as it is written, and wallets by name and address', async () => {
    const path = `/panel/operator/users/${ann.id}`;
    for (const part of ['ann@', '100%', '<müller>', 'NN 1']) expect((await find('operator', part)).location).toBe(path);
    const several = await find('operator', 'example.com');
    for (const name of ['ann', 'bob', 'olga']) expect(several.text).toContain(`${name}@example.com`);
    expect((await find('operator', '%')).location).toBe(path);
    const wallet = (await world.app.app.get(PoolWallets).list()).find(({ name }) => name === 'pool')!;
    expect((await find('operator', wallet.address)).location).toBe(`/panel/operator/wallets/${wallet.id}`);
  });

  it('takes what is far too long without cutting it, and shows it in the box as it was typed', async () => {
    const long = 'x'.repeat(3_000);
    const { status, text } = await find('operator', long);
    expect([status, text.includes(`value="${long}"`)]).toEqual([200, true]);
    expect(text).not.toContain('maxlength');
    expect((await find('operator', '')).status).toBe(200);
    expect((await new PanelClient(world.app.url).get('/panel/search?q=x')).location).toContain('/panel/sign-in');
  });
});
