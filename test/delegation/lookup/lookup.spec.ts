import { type Answer, type Caller, OrderWorld } from '../../support/order-world';

const idOf = (answer: Answer) => answer.headers.get('x-delegation-id')!;
const ids = ({ body }: Answer) => (body['data'] as { id: string }[]).map(({ id }) => id);

describe('looking up orders', () => {
  let world: OrderWorld;
  let owner: Caller;
  let stranger: Caller;
  const placed: Answer[] = [];
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 250 });
    [owner, stranger] = [await world.caller(), await world.caller()];
    for (const amount of [1, 2, 3]) {
      const body = { receiver_address: await world.receiver(), amount };
      await world.delegate(stranger, body);
      placed.push(await world.delegate(owner, body, { 'idempotency-key': `order-${amount}` }));
    }
  });
  afterAll(() => world.close());

  it('shows the own order by its id, also under the chain name', async () => {
    for (const chain of ['chain', 'tron']) {
      const { status, body } = await world.get(owner, `/api/${chain}/delegations/${idOf(placed[1]!)}`);
      expect(status).toBe(200);
      expect(body['data']).toMatchObject({
        id: idOf(placed[1]!),
        answer: 'success',
        amount: 2,
        energy: 130_000,
        time: 10,
        cost: 6,
        paid_by: 'balance',
        txid: placed[1]!.body['txid'],
        idempotency_key: 'order-2',
        reclaim_txid: null,
      });
    }
  });

  it('finds the own order by txid and by idempotency key', async () => {
    const byTxid = await world.get(owner, `/api/chain/delegations?txid=${String(placed[0]!.body['txid'])}`);
    expect(ids(byTxid)).toEqual([idOf(placed[0]!)]);
    const byKey = await world.get(owner, '/api/chain/delegations?idempotency_key=order-3');
    expect(ids(byKey)).toEqual([idOf(placed[2]!)]);
  });

  it('lists the own orders newest first, a page at a time', async () => {
    const first = await world.get(owner, '/api/chain/delegations?limit=2');
    expect(ids(first)).toEqual([idOf(placed[2]!), idOf(placed[1]!)]);
    const next = await world.get(owner, `/api/chain/delegations?limit=2&before=${String(first.body['next_before'])}`);
    expect(ids(next)).toEqual([idOf(placed[0]!)]);
    expect(next.body['next_before']).toBeNull();
  });

  it("answers another user's order like one that never was", async () => {
    const missing = await world.get(owner, '/api/chain/delegations/0193-nothing');
    const foreign = await world.get(stranger, `/api/chain/delegations/${idOf(placed[0]!)}`);
    expect([missing.status, foreign.status]).toEqual([404, 404]);
    expect(foreign.body).toEqual(missing.body);
    expect(ids(await world.get(stranger, '/api/chain/delegations'))).toHaveLength(3);
    const filters = [
      `txid=${String(placed[0]!.body['txid'])}`,
      'idempotency_key=order-1',
      `before=${idOf(placed[2]!)}`,
    ];
    for (const filter of filters)
      expect(ids(await world.get(stranger, `/api/chain/delegations?${filter}`))).toEqual([]);
  });

  it('refuses a filter that no order could have, instead of failing on it', async () => {
    const answer = await world.get(owner, '/api/chain/delegations?idempotency_key=%00');
    expect(answer).toMatchObject({ status: 400, body: { success: false, error: '参数验证失败' } });
    expect(answer.headers.get('x-error-code')).toBe('VALIDATION_FAILED');
  });

  it.each([
    ['txid', 'abc', 'The txid must be 64 hexadecimal digits.'],
    ['idempotency_key', '%E2%82%AC', 'The idempotency key must be 1 to 255 printable ASCII characters.'],
    ['state', 'gone', 'The selected state is invalid.'],
    ['receiver_address', 'T', 'The receiver address must be 34 characters.'],
    ['receiver_address', `${'T'.repeat(33)}%00`, 'The receiver address format is invalid.'],
    ['receiver_address', 'T&receiver_address=T', 'The receiver address must be 34 characters.'],
    ['before', 'yesterday', 'The before must be an order id.'],
    ['limit', '0', 'The limit must be between 1 and 100.'],
    ['limit', '101', 'The limit must be between 1 and 100.'],
    ['limit', '1e1', 'The limit must be between 1 and 100.'],
    ['limit', '%20', 'The limit must be between 1 and 100.'],
    ['state', '%20', 'The selected state is invalid.'],
    ['txid', `%20${'a'.repeat(64)}`, 'The txid must be 64 hexadecimal digits.'],
  ])('refuses %s=%s with its one sentence', async (field, value, sentence) => {
    const answer = await world.get(owner, `/api/chain/delegations?${field}=${value}`);
    expect([answer.status, answer.body['details']]).toEqual([400, { [field]: [sentence] }]);
  });

  it('looks for a blank key as for any other, and shows no order in its place', async () => {
    expect(ids(await world.get(owner, '/api/chain/delegations?idempotency_key=%20'))).toEqual([]);
  });

  it('takes a filter that is given and empty as one that is not given', async () => {
    const all = ids(await world.get(owner, '/api/chain/delegations'));
    expect(ids(await world.get(owner, '/api/chain/delegations?txid=&state=&limit=&before='))).toEqual(all);
  });

  it('names the methods that a route of the real application has', async () => {
    const response = await fetch(`${world.app.url}/api/chain/delegate-resource`, { method: 'PUT' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('OPTIONS, POST');
    expect(await response.json()).toMatchObject({ success: false, error: '请求方法不被允许' });
  });
});
