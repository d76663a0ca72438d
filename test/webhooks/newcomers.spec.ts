import { WebhookService } from '../../src/webhooks/webhook.service';
import { insertSubscription, insertUser } from '../support/factories';
import { createTestApp, type TestApp } from '../support/test-app';

const NETWORK = '203.0.113.7';

describe('webhooks of accounts that have signed up by themselves and paid for nothing yet', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
  });
  afterAll(() => service?.close());

  const newcomer = (signUpNetwork = NETWORK) => insertUser(service.orm, { signUpNetwork });
  const add = (userId: string) =>
    service.app.get(WebhookService).create({ userId, url: 'https://shop.example/energy' });
  const addMany = async (userId: string, count: number) => {
    const outcomes = await Promise.allSettled(Array.from({ length: count }, () => add(userId)));
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  };

  it('are five for each, and twenty for all of a network, also at the same moment', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => newcomer()));
    const added = await Promise.all(users.map((userId) => addMany(userId, 6)));
    expect(Math.max(...added)).toBe(5);
    expect(added.reduce((sum, count) => sum + count, 0)).toBe(20);
    await expect(add(users[0]!)).rejects.toMatchObject({ code: 'webhook.newcomer' });
    expect(await addMany(await newcomer('203.0.113.8'), 1)).toBe(1);
  });

  it('are eighty for all of an IPv6 network of 48 bits', async () => {
    const many = (network: number) => newcomer(`2001:db8:1:${network.toString(16)}::/64`);
    const users = await Promise.all(Array.from({ length: 17 }, (_, at) => many(at)));
    const added: number[] = [];
    for (const userId of users) added.push(await addMany(userId, 5));
    expect(added).toEqual([...Array.from({ length: 16 }, () => 5), 0]);
    expect(await addMany(await newcomer('2001:db8:2::/64'), 1)).toBe(1);
  });

  it('are a thousand for all networks together', async () => {
    const owner = await newcomer('198.51.100.1');
    await service.sql.execute(
      {
        name: '',
        text: `insert into webhooks (id, user_id, url, secret)
          select gen_random_uuid(), $1, 'https://shop.example/' || n, 'x' from generate_series(1, 1000) n`,
      },
      [owner],
    );
    expect(await addMany(await newcomer('198.51.100.2'), 1)).toBe(0);
    expect(await addMany(await insertUser(service.orm, { signUpNetwork: NETWORK, balance: 1 }), 1)).toBe(1);
    await service.sql.execute({ name: '', text: `update webhooks set state = 'removed' where user_id = $1` }, [owner]);
    expect(await addMany(await newcomer('198.51.100.3'), 1)).toBe(1);
  });

  it('are as many as for any account once it has a subscription or was credited, before any charge, and for one that an operator has created', async () => {
    const subscribed = await newcomer();
    await insertSubscription(service.orm, subscribed, 1);
    expect(await addMany(subscribed, 6)).toBe(6);
    expect(await addMany(await insertUser(service.orm, { signUpNetwork: NETWORK, balance: 1 }), 6)).toBe(6);
    expect(await addMany(await insertUser(service.orm), 6)).toBe(6);
  });
});
