import { ApiTokenService } from '../../../src/auth/tokens/api-token.service';
import { SendOrder } from '../../../src/panel/try-it/send-order';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

const PAGE = '/panel/try-it';
const REFUSAL = 'does not allow your network';

describe('a trial order with a token that is bound to networks', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false, env: { TRUST_PROXY: 'loopback' } });
  });
  afterAll(() => service?.close());
  afterEach(() => jest.restoreAllMocks());

  it('is sent for who is in one of them, and for nobody who borrows the service’s own address', async () => {
    const owner = await insertPanelUser(service);
    const create = (ips: string[] | null) =>
      service.app
        .get(ApiTokenService)
        .create({ userId: owner.id, name: 'till', permissions: ['delegate'], limits: { ips } });
    const [bound, free] = [await create(['127.0.0.1/32', '192.0.2.0/24']), await create(null)];
    const send = jest.spyOn(service.app.get(SendOrder), 'send').mockResolvedValue(null);
    const thief = await insertPanelUser(service);
    const from = async (address: string) => {
      const client = new PanelClient(service.url, { 'X-Forwarded-For': address });
      await client.signIn(thief.email, thief.password);
      return (token: string) => client.submit(PAGE, PAGE, { do: 'send', token });
    };
    const [elsewhere, there] = [await from('198.51.100.1'), await from('192.0.2.5')];
    expect((await elsewhere(bound.token)).text).toContain(REFUSAL);
    // Typed with a character that is left out of what is sent.
    expect((await elsewhere(`${bound.token}.`)).text).toContain(REFUSAL);
    expect(send).not.toHaveBeenCalled();
    expect((await elsewhere(free.token)).text).not.toContain(REFUSAL);
    expect((await there(bound.token)).text).not.toContain(REFUSAL);
    expect((await there('no token at all')).text).not.toContain(REFUSAL);
    expect(send).toHaveBeenCalledTimes(3);
  });
});
