import BigNumber from 'bignumber.js';
import { MoneyAdminService } from '../../../src/admin/money-admin.service';
import { ReferenceBlocks } from '../../../src/chain/verified-chain/reference-blocks';
import { headMs } from '../../support/chain-time';
import { OrderWorld, type TokenCaller } from '../../support/order-world';
import { until } from '../../support/until';

const OPERATOR = { id: null, address: 'root@server' };
const DAY_MS = 86_400_000;

describe('a subscription', () => {
  let world: OrderWorld;
  beforeAll(async () => (world = await OrderWorld.open()));
  afterAll(() => world.close());

  const admin = () => world.app.app.get(MoneyAdminService);
  const subscribe = async (caller: TokenCaller, days: number, transactions = 9) => {
    const [user] = await world.query('select email from users where id = $1', [caller.id]);
    return admin().addSubscription(OPERATOR, String(user!['email']), {
      transactions: new BigNumber(transactions),
      days,
    });
  };
  /** The payer of an order, and the payer by the quote before it. */
  const payers = async (caller: TokenCaller, activates = false) => {
    const receiver = await world.receiver(!activates);
    const quote = await world.get(caller, `/api/chain/quote?receiver_address=${receiver}&amount=1`);
    const order = await world.delegate(caller, { receiver_address: receiver, amount: 1, activate_address: activates });
    expect([quote.status, order.status]).toEqual([200, 200]);
    const id = order.headers.get('x-delegation-id')!;
    const [row] = await world.query('select paid_by from delegations where id = $1', [id]);
    return [(quote.body['data'] as { paid_by: string }).paid_by, row!['paid_by']];
  };

  it('pays from the moment of its creation to that of its end', async () => {
    const caller = await world.caller();
    const { id, validFrom, validUntil } = await subscribe(caller, 30);
    expect(Date.parse(validFrom)).toBeLessThanOrEqual(await headMs(world));
    expect(Date.parse(validUntil) - Date.parse(validFrom)).toBe(30 * DAY_MS);
    expect(await payers(caller)).toEqual(['subscription', 'subscription']);
    expect(await payers(caller, true)).toEqual(['subscription', 'subscription']);
    await admin().endSubscription(OPERATOR, id);
    expect(await payers(caller)).toEqual(['balance', 'balance']);
    expect(await payers(caller, true)).toEqual(['balance', 'balance']);
  });

  it('does not cause INSUFFICIENT_BALANCE where it covers what the pool has not', async () => {
    const caller = await world.caller({ balance: 0 });
    await subscribe(caller, 30, 1_000_000);
    const order = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 999_999 });
    expect(order.headers.get('x-error-code')).toBe('INSUFFICIENT_ENERGY');
  });

  it('begins with the head while only genesis is final, which has no time', async () => {
    const young = await OrderWorld.open({ block: 'manual', backgroundWork: false });
    try {
      const references = young.app.app.get(ReferenceBlocks);
      expect((await references.refresh()).final.number).toBe(0);
      expect(await references.finalTimeMs()).toBe(await headMs(young));
    } finally {
      await young.close();
    }
  });

  it('is over when the chain says so, whatever the database’s clock says', async () => {
    const caller = await world.caller();
    const { validUntil } = await subscribe(caller, 1);
    expect(await payers(caller)).toEqual(['subscription', 'subscription']);
    await world.control('clock', { ms: DAY_MS + 1 });
    const references = world.app.app.get(ReferenceBlocks);
    await until('a head beyond the end', async () => (await references.headTimeMs()) > Date.parse(validUntil));
    expect(await payers(caller)).toEqual(['balance', 'balance']);
    expect(await payers(caller, true)).toEqual(['balance', 'balance']);
  });
});
