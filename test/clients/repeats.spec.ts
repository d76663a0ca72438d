import {
  EnergyClient,
  type EnergyClientOptions,
  EnergyError,
  NoAnswerError,
} from '../../clients/typescript/src/index.ts';
import { DELEGATED, failure, refusalOf, REQUEST } from '../support/scripted-orders';
import { type Scripted, ScriptedService } from '../support/scripted-service';

describe('an order of the TypeScript client', () => {
  const service = new ScriptedService();
  let waits: number[];
  beforeAll(() => service.open());
  afterAll(() => service.close());
  beforeEach(() => {
    service.received.length = 0;
    waits = [];
  });

  const clientWith = (options: Partial<EnergyClientOptions> = {}) =>
    new EnergyClient({
      baseUrl: `${service.url}/`,
      token: 'eds_secret',
      wait: async (ms) => void waits.push(ms),
      ...options,
    });
  const keys = () => service.received.map(({ headers }) => headers['idempotency-key']);

  it.each<[string, Scripted | 'cut']>([
    ['a cut line', 'cut'],
    ['a 500 without an order', failure(500, 'INTERNAL')],
    ['a 502 of something in front', { status: 502, body: '<html>Bad Gateway</html>' }],
    ['a 503', { status: 503 }],
    ['a 504', { status: 504 }],
    ['a 504 of a gateway that speaks JSON', { status: 504, body: { message: 'Endpoint request timed out' } }],
    ['a 500 of a gateway with an order in front of it', { status: 500, body: { success: false, error: 'upstream' } }],
    ['a 403 of a firewall', { status: 403, body: '<html>Access denied</html>' }],
    ['a 404 of a balancer', { status: 404, body: { error: 'no route' } }],
    ['a success that is cut off', { status: 200, body: '{"success":tr' }],
    ['an empty 200', { status: 200, body: '' }],
    ['a 200 with an empty object', { status: 200, body: {} }],
    ['a 200 with a list', { status: 200, body: [] }],
    ['a 200 without a txid', { status: 200, body: { success: true, message: '委托成功' } }],
    ['a 200 with an empty txid', { status: 200, body: { success: true, txid: '' } }],
    ['a 200 that is not a success', { status: 200, body: { success: false, txid: 'ab'.repeat(32) } }],
    ['a 200 whose success is a word', { status: 200, body: { success: 'true', txid: 'ab'.repeat(32) } }],
    ['a 202', { status: 202, body: { success: true, txid: 'ab'.repeat(32) } }],
    ['a 204', { status: 204, body: '' }],
    ['a 501 that may be over soon', failure(501, 'INSUFFICIENT_ENERGY', { 'Retry-After': '2' })],
    ['a 429', failure(429, 'RATE_LIMITED', { 'Retry-After': '2' })],
  ])('is sent again after %s, with the same key and body', async (_, first) => {
    service.answers = [first, first, DELEGATED];
    const delegated = await clientWith().delegate(REQUEST);
    const [key] = keys();
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys()).toEqual([key, key, key]);
    expect(new Set(service.received.map(({ body }) => body))).toEqual(new Set([JSON.stringify(REQUEST)]));
    expect(delegated).toEqual({
      delegationId: 'an-order',
      txid: 'ab'.repeat(32),
      state: 'included',
      idempotencyKey: key,
    });
  });

  it('is sent again after a time-out', async () => {
    service.answers = ['hang', DELEGATED];
    await clientWith({ timeoutMs: 1_000 }).delegate(REQUEST);
    expect(keys().length).toBeGreaterThan(1);
    expect(new Set(keys()).size).toBe(1);
  });

  it.each<[string, Scripted]>([
    ['a refusal of the request', failure(400, 'RECEIVER_NOT_ACTIVATED')],
    ['a bad token', failure(401, 'UNAUTHENTICATED')],
    ['want of balance', failure(501, 'INSUFFICIENT_BALANCE')],
    ['the failure of an order that is there', failure(500, 'NODE_UNAVAILABLE', { 'X-Delegation-Id': 'an-order' })],
  ])('is not sent again after %s', async (_, answer) => {
    service.answers = [answer];
    const error = await refusalOf(clientWith().delegate(REQUEST, { idempotencyKey: 'my-key' }));
    expect(error).toBeInstanceOf(EnergyError);
    expect(error).toMatchObject({
      status: answer.status,
      code: answer.headers!['X-Error-Code'],
      message: `the text of ${answer.headers!['X-Error-Code']}`,
      delegationId: answer.headers!['X-Delegation-Id'],
      requestId: 'a-request',
      idempotencyKey: 'my-key',
    });
    expect(keys()).toEqual(['my-key']);
  });

  it.each<[string, Scripted]>([
    ['a 504 of a gateway', { status: 504, body: { message: 'Endpoint request timed out' } }],
    ['a page with status 500', { status: 500, body: '<html>Internal Server Error</html>' }],
    ['a 403 of a firewall', { status: 403, body: '<html>Access denied</html>' }],
    ['an empty 200', { status: 200, body: '' }],
    ['a 200 without a txid', { status: 200, body: { success: true } }],
  ])('is never said to be refused or placed after %s alone, and its key is kept', async (_, answer) => {
    service.answers = [answer];
    const error = await refusalOf(clientWith().delegate(REQUEST, { idempotencyKey: 'my-key' }));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ idempotencyKey: 'my-key' });
    expect(keys()).toEqual(Array(5).fill('my-key'));
  });

  it('is found by its txid where something in between has taken the headers', async () => {
    const { body } = DELEGATED;
    service.answers = [
      { status: 200, body },
      { status: 200, body: { success: true, data: [{ id: 'found' }] } },
    ];
    expect(await clientWith().delegate(REQUEST)).toMatchObject({ delegationId: 'found', state: 'accepted' });
    service.answers = [{ status: 200, body }, { status: 504 }];
    const error = await refusalOf(clientWith().delegate(REQUEST, { idempotencyKey: 'my-key' }));
    expect(error).toMatchObject({ name: 'NoAnswerError', idempotencyKey: 'my-key' });
  });

  it('waits for as long as the Retry-After of a gateway says', async () => {
    service.answers = [{ status: 503, headers: { 'Retry-After': '4' } }, DELEGATED];
    await clientWith().delegate(REQUEST);
    expect(waits).toEqual([4_000]);
  });

  it.each<[string, Scripted]>([
    ['an empty 200', { status: 200, body: '' }],
    ['a 200 without data', { status: 200, body: { success: true } }],
    ['a 404 of a balancer', { status: 404, body: '<html>' }],
  ])('is looked up again after %s, and a look-up is never answered with nothing', async (_, first) => {
    service.answers = [first, { status: 200, body: { success: true, data: { id: 'an-order', state: 'delegated' } } }];
    expect(await clientWith().order('an-order')).toMatchObject({ state: 'delegated' });
    service.answers = [first];
    expect(await refusalOf(clientWith().balance())).toBeInstanceOf(NoAnswerError);
  });

  it('waits for as long as Retry-After says', async () => {
    service.answers = [
      failure(429, 'RATE_LIMITED', { 'Retry-After': '7' }),
      failure(503, 'X', { 'Retry-After': '3' }),
      DELEGATED,
    ];
    await clientWith().delegate(REQUEST);
    expect(waits).toEqual([7_000, 3_000]);
  });

  it('does not wait longer than it may, and then says how long it would have to', async () => {
    service.answers = [failure(501, 'INSUFFICIENT_ENERGY', { 'Retry-After': '600' }), DELEGATED];
    const error = await refusalOf(clientWith().delegate(REQUEST));
    expect(error).toMatchObject({ code: 'INSUFFICIENT_ENERGY', retryAfterSeconds: 600 });
    expect([keys().length, waits]).toEqual([1, []]);

    service.answers = [failure(501, 'INSUFFICIENT_ENERGY', { 'Retry-After': '600' }), DELEGATED];
    await clientWith({ patienceMs: 600_000 }).delegate(REQUEST);
    expect(waits).toEqual([600_000]);
  });

  it.each(['-5', '-1e9', '1e400', 'soon', 'Sat, 01 Jan 2000 00:00:00 GMT'])(
    'waits as without it where Retry-After is %j',
    async (after) => {
      service.answers = [failure(429, 'RATE_LIMITED', { 'Retry-After': after }), DELEGATED];
      await clientWith().delegate(REQUEST);
      expect(waits).toHaveLength(1);
      expect(waits[0]).toBeGreaterThanOrEqual(250);
      expect(waits[0]).toBeLessThanOrEqual(500);
    },
  );

  it.each(['99999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'waits for no time that a timer cannot count where Retry-After is %s',
    async (after) => {
      service.answers = [failure(501, 'INSUFFICIENT_ENERGY', { 'Retry-After': after }), DELEGATED];
      const error = await refusalOf(clientWith({ patienceMs: Number.MAX_SAFE_INTEGER, attempts: 1 }).delegate(REQUEST));
      expect([waits, error]).toEqual([[], expect.objectContaining({ retryAfterSeconds: 1_000_000 })]);
    },
  );

  it('ends after so many attempts, and leaves the key with which it can be resolved', async () => {
    service.answers = ['cut'];
    const error = await refusalOf(clientWith({ attempts: 4 }).delegate(REQUEST));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(keys()).toHaveLength(4);
    expect(new Set(keys())).toEqual(new Set([(error as NoAnswerError).idempotencyKey]));
    // Longer each time, so that a service in trouble is not kept there.
    expect(waits).toHaveLength(3);
    for (const [attempt, ms] of waits.entries()) {
      expect(ms).toBeGreaterThanOrEqual(250 * 2 ** attempt);
      expect(ms).toBeLessThanOrEqual(500 * 2 ** attempt);
    }
  });

  it('ends at once when its caller gives up, and leaves the key', async () => {
    service.answers = ['hang'];
    const controller = new AbortController();
    const order = refusalOf(clientWith().delegate(REQUEST, { signal: controller.signal, idempotencyKey: 'my-key' }));
    controller.abort(new Error('enough'));
    expect(await order).toMatchObject({ name: 'NoAnswerError', message: 'enough', idempotencyKey: 'my-key' });
    expect(service.received.length).toBeLessThanOrEqual(1);
  });

  it('has a key of its own', async () => {
    service.answers = [DELEGATED];
    const client = clientWith();
    await Promise.all([client.delegate(REQUEST), client.delegate(REQUEST)]);
    expect(new Set(keys()).size).toBe(2);
  });

  it('keeps its token from other hosts', async () => {
    const other = new ScriptedService();
    await other.open();
    other.answers = [DELEGATED];
    service.answers = [{ status: 307, headers: { location: `${other.url}/api/chain/delegate-resource` } }];
    try {
      expect(await refusalOf(clientWith().delegate(REQUEST))).toBeInstanceOf(NoAnswerError);
      expect(other.received).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('shows the cost of variant B, 0 too', async () => {
    service.answers = [{ ...DELEGATED, body: { ...(DELEGATED.body as object), cost: 0 } }];
    expect(await clientWith().delegate(REQUEST)).toMatchObject({ cost: 0 });
  });
});
