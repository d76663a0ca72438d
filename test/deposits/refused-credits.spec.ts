import { DepositAdminService } from '../../src/admin/deposit-admin.service';
import { MoneyAdminService } from '../../src/admin/money-admin.service';
import { DepositAddresses } from '../../src/deposits/deposit-addresses';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';
import { DepositWorld, TRX } from './deposit-world';

const ANN = { id: null, address: 'test' };

describe('a deposit that cannot be credited', () => {
  let deposits: DepositWorld;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    deposits = await DepositWorld.open({ env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
  });
  afterAll(async () => {
    await deposits.close();
    receiver.close();
  });

  const rowOf = async (txid: string) =>
    (await deposits.world.query('select id, state, waits_for from deposits where txid = $1', [txid]))[0]!;
  async function seen(address: string, sun: number): Promise<string> {
    const txid = await deposits.payTrx(address, sun);
    await deposits.mine();
    await deposits.untilSeen(txid);
    return txid;
  }

  it('because an operator has booked its reference waits for one, tells webhooks so, and holds up no other', async () => {
    const [customer, other] = [await deposits.customer(), await deposits.customer()];
    const { app } = deposits.world.app;
    const events = ['deposit.credited', 'deposit.waiting'] as const;
    await app.get(WebhookService).create({ userId: customer.id, url: receiver.url('/booked'), events });
    const txid = await seen(customer.address, 5 * TRX);
    const [user] = await deposits.world.query('select email from users where id = $1', [customer.id]);
    const booked = { amountSun: 5_000_000n, note: 'she has shown it', reference: `${txid}:0` };
    await app.get(MoneyAdminService).move(ANN, String(user!['email']), 'credit', booked);
    await deposits.payTrx(other.address, 3 * TRX);
    await deposits.settle();
    expect(await rowOf(txid)).toMatchObject({ state: 'waiting', waits_for: 'operator' });
    expect(await deposits.balanceSun(customer)).toBe(5_000_000n);
    expect(await deposits.balanceSun(other)).toBe(3_000_000n);
    await until('its event', async () => receiver.at('/booked').length > 0);
    expect(receiver.at('/booked').map(({ body }) => body['type'])).toEqual(['deposit.waiting']);
  });

  it('because no final block has it is credited by no operator either, before a fork has dropped it and after that', async () => {
    const customer = await deposits.customer();
    const txid = await seen(customer.address, 6 * TRX);
    const { id } = await rowOf(txid);
    const credit = () => deposits.world.app.app.get(DepositAdminService).credit(ANN, String(id), 'she asks for it');
    await expect(credit()).rejects.toMatchObject({ code: 'deposit.not-creditable' });
    await deposits.world.control('fork', { from: await deposits.head(), keep: [] });
    await deposits.settle();
    await deposits.settle();
    expect(await rowOf(txid)).toMatchObject({ state: 'dropped' });
    await expect(credit()).rejects.toMatchObject({ code: 'deposit.not-creditable' });
    expect(await deposits.balanceSun(customer)).toBe(0n);
  });
});

describe('before any block is followed for deposits', () => {
  let deposits: DepositWorld;
  beforeAll(async () => (deposits = await DepositWorld.open({ backgroundWork: false })));
  afterAll(() => deposits.close());

  it('no customer is given an address: what came to it in an earlier block would be credited to none', async () => {
    const { id } = await deposits.world.caller({});
    const addresses = deposits.world.app.app.get(DepositAddresses);
    await expect(addresses.of(id)).rejects.toThrow('no block is followed for deposits yet');
    expect(await addresses.find(id)).toBeNull();
    await deposits.world.startInstance();
    await deposits.untilBegun();
    expect(await addresses.of(id)).toMatch(/^T/);
  });
});
