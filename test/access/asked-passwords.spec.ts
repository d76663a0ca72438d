import { v7 as uuid } from 'uuid';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser } from '../support/panel-user';
import { createTestApp, type TestApp } from '../support/test-app';
import { PANEL } from './route-classes';

/** Written down a second time, as who a route is for: an open browser must not be enough for what money, keys and access hang on. */
const ASKED = [
  'POST /panel/account/email',
  'POST /panel/account/second-factor/begin',
  'POST /panel/account/second-factor/enable',
  'POST /panel/account/second-factor/recovery-codes',
  'POST /panel/account/second-factor/remove',
  'POST /panel/tokens/new',
  'POST /panel/webhooks/new',
  'POST /panel/webhooks/:id/rotate',
  'POST /panel/operator/deposits/rate',
  'POST /panel/operator/deposits/:id/credit',
  'POST /panel/operator/findings/:id/acknowledge',
  'POST /panel/operator/wallets/resume',
  'POST /panel/operator/wallets/new',
  'POST /panel/operator/wallets/:id',
  'POST /panel/operator/wallets/:id/remove',
  'POST /panel/operator/wallets/:id/stake/vote',
  'POST /panel/operator/wallets/:id/stake/claim',
  'POST /panel/operator/wallets/:id/stake/freeze',
  'POST /panel/operator/wallets/:id/stake/unfreeze',
  'POST /panel/operator/wallets/:id/stake/withdraw',
  'POST /panel/operator/wallets/:id/stake/cancel-unfreeze',
  'POST /panel/operator/wallets/:id/stake/care',
  'POST /panel/operator/wallets/:id/stake/care/off',
  'POST /panel/operator/wallets/orders',
  'POST /panel/operator/wallets/reclaims',
  'POST /panel/operator/users/new',
  'POST /panel/operator/users/:id',
  'POST /panel/operator/users/:id/state',
  'POST /panel/operator/users/:id/invitation',
  'POST /panel/operator/users/:id/second-factor',
  'POST /panel/operator/users/:id/movements',
  'POST /panel/operator/users/:id/subscriptions',
  'POST /panel/operator/users/:id/subscriptions/:subscription/end',
];

/** Where the answer depends on the form, one that may do more than before. */
const MORE = { permissions: 'delegate', step: 'book', operator: 'yes', state: 'enabled', key_kind: 'env', key: 'POOL' };

describe('the password', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
  });
  afterAll(() => service?.close());

  it('is asked for again by each form that spends, signs or lets in, and by no other', async () => {
    const logins = {
      user: await insertPanelUser(service),
      operator: await insertPanelUser(service, { operator: true }),
    };
    const asked: string[] = [];
    for (const access of ['user', 'operator'] as const) {
      const client = new PanelClient(service.url);
      await client.signIn(logins[access].email, logins[access].password);
      const _csrf = /name="_csrf" value="([^"]+)"/.exec((await client.get('/panel/account')).text)![1]!;
      await service.sql.execute({ name: '', text: 'update sessions set password_at = null' });
      for (const route of PANEL.filter((one) => one.access === access && one.method === 'POST')) {
        // The password is asked for before anything is looked for.
        const path = route.path(Object.fromEntries(route.named.map((named) => [named, uuid()])));
        const { status, text } = await client.post(path, { ...MORE, _csrf });
        if (status === 403 && text.includes('Confirm your password')) asked.push(route.name);
      }
    }
    expect(asked.toSorted()).toEqual(ASKED.toSorted());
  });
});
