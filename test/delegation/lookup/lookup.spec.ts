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

  describe.each(['chain', 'tron'])('a query that would filter nothing, under /api/%s', (chain) => {
    const detailsOf = async (path: string, by = owner) => {
      const { status, headers, body } = await world.get(by, `/api/${chain}/${path}`);
      return { status, code: headers.get('x-error-code'), fields: Object.keys(body['details'] ?? {}) };
    };
    const refused = (...fields: string[]) => ({ status: 400, code: 'VALIDATION_FAILED', fields });

    it.each([
      ['idempotency_key=', ['idempotency_key']],
      ['txid', ['txid']],
      ['txid=&state=&limit=&before=', ['txid', 'state', 'before', 'limit']],
      ['txid[]=TXID', ['txid']],
      ['txid%5B%5D=TXID', ['txid']],
      ['txid[0]=TXID', ['txid']],
      ['txid=TXID&txid=TXID', ['txid']],
      ['txid=&txid=TXID', ['txid']],
      ['receiver_address=T&receiver_address=T', ['receiver_address']],
      ['tx_id=TXID', ['tx_id']],
      ['TXID=TXID', ['TXID']],
      ['txid%20=TXID', ['txid ']],
      ['txid;=TXID', ['txid;']],
      ['__proto__=1', ['__proto__']],
      ['=1', ['']],
      ['limit=1&_=17', ['_']],
    ])('is refused and shows no order: %s', async (query, fields) => {
      const asked = query.replaceAll('=TXID', `=${String(placed[0]!.body['txid'])}`);
      expect(await detailsOf(`delegations?${asked}`)).toEqual(refused(...fields));
    });

    it('is refused also behind more fields than a parser takes', async () => {
      const many = Array.from({ length: 1_200 }, (_, index) => `a${index}=1`).join('&');
      const { status, fields } = await detailsOf(`delegations?${many}&txid=${'0'.repeat(64)}`);
      expect([status, fields.length]).toEqual([400, 20]);
    });

    it('is refused beside the id of an order, which takes no query', async () => {
      for (const path of [`delegations/${idOf(placed[0]!)}`, `delegations/${idOf(placed[0]!)}/receipt`]) {
        expect(await detailsOf(`${path}?id=`)).toEqual(refused('id'));
        expect(await detailsOf(`${path}?verbose=1`)).toEqual(refused('verbose'));
      }
    });
  });

  it.each([
    'chain/delegations/',
    'tron/delegations/',
    'chain/delegations/?',
    'chain/delegations/?limit=1',
    'chain/delegations//receipt',
  ])('an empty id shows no order: /api/%s', async (path) => {
    const answer = await world.get(owner, `/api/${path}`);
    expect([answer.status, answer.body]).toEqual([404, { success: false, error: expect.any(String) as string }]);
  });

  it('says which fields there are when one is misspelt', async () => {
    const { body } = await world.get(owner, '/api/chain/delegations?tx_id=1');
    const known = 'txid, idempotency_key, state, receiver_address, before, limit';
    expect(body['details']).toEqual({ tx_id: [`The field tx_id is unknown: there are ${known}.`] });
  });

  it('is looked up by HEAD under the same rules', async () => {
    const head = (path: string) =>
      fetch(`${world.app.url}${path}`, { method: 'HEAD', headers: { authorization: `Bearer ${owner.token}` } });
    expect((await head('/api/chain/delegations?txid=')).status).toBe(400);
    expect((await head('/api/chain/delegations?limit=1')).status).toBe(200);
  });

  it('names the methods that a route of the real application has', async () => {
    const response = await fetch(`${world.app.url}/api/chain/delegate-resource`, { method: 'PUT' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('OPTIONS, POST');
    expect(await response.json()).toMatchObject({ success: false, error: '请求方法不被允许' });
  });
});
