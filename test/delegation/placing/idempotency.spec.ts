import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import { sendRaw } from '../../support/raw-http';
import type { TestApp } from '../../support/test-app';

const key = (text: string) => ({ 'idempotency-key': text });
const said = ({ status, body, headers }: Answer) => [
  status,
  body,
  headers.get('x-delegation-id'),
  headers.get('x-error-code'),
  headers.get('x-delegation-state'),
];

describe('an idempotency key', () => {
  let world: OrderWorld;
  let instances: TestApp[];
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 250 });
    instances = [world.app, await world.startInstance()];
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('is of one user: the same key of another is another order', async () => {
    const [one, two] = [await world.caller(), await world.caller()];
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const answers = [await world.delegate(one, body, key('mine')), await world.delegate(two, body, key('mine'))];
    expect(answers[0]!.body['txid']).not.toBe(answers[1]!.body['txid']);
  });

  it('gives the stored answer to the same fields, however they are written, and 400 to others', async () => {
    const caller = await world.caller();
    const receiver = await world.receiver();
    const first = await world.delegate(caller, { receiver_address: receiver, amount: 1, time: 10 }, key('fields'));
    const same = { receiver_address: ` ${receiver} `, amount: '1.0', activate_address: false };
    expect(said(await world.delegate(caller, same, key('fields'), instances[1]))).toEqual(said(first));
    const others = [
      { receiver_address: receiver, amount: 1.5 },
      { receiver_address: receiver, amount: 1, time: 1440 },
      { receiver_address: receiver, amount: 1, activate_address: true },
      { receiver_address: await world.receiver(), amount: 1 },
    ];
    for (const other of others) {
      const answer = await world.delegate(caller, other, key('fields'));
      expect(answer).toMatchObject({
        status: 400,
        body: { details: { idempotency_key: ['The idempotency key was used with a different request.'] } },
      });
      expect(answer.headers.get('x-error-code')).toBe('IDEMPOTENCY_KEY_REUSED');
    }
  });

  it('repeats a failure that wrote an order, without a second order', async () => {
    const caller = await world.caller({ balance: 3 });
    const body = { receiver_address: await world.receiver(), amount: 1 };
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'SERVER_BUSY', count: 1 });
    const failure = await world.delegate(caller, body, key('failed'));
    expect(failure.headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
    expect(said(await world.delegate(caller, body, key('failed'), instances[1]))).toEqual(said(failure));
    const orders = await world.query(`select 1 from delegations where user_id = $1`, [caller.id]);
    expect(orders).toHaveLength(1);
  });

  it('is not used up by a refusal that wrote nothing', async () => {
    const caller = await world.caller({ balance: 4 });
    const receiver = await world.receiver(false);
    const body = { receiver_address: receiver, amount: 1 };
    expect((await world.delegate(caller, body, key('again'))).status).toBe(400);
    const tooMuch = { receiver_address: await world.receiver(), amount: 2 };
    expect((await world.delegate(caller, tooMuch, key('again'))).status).toBe(501);
    const paid = { receiver_address: await world.receiver(), amount: 1 };
    expect((await world.delegate(caller, paid, key('again'))).status).toBe(200);
  });

  /** Each line as it is: `fetch` would join them. */
  const send = async (caller: Caller, body: object, ...keys: string[]) => {
    const text = JSON.stringify(body);
    const lines = [
      'POST /api/chain/delegate-resource HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${caller.token}`,
      'Content-Type: application/json',
      `Content-Length: ${text.length}`,
      ...keys.map((line) => `Idempotency-Key: ${line}`),
      'Connection: close',
    ];
    const { status, headers } = await sendRaw(
      Number(new URL(world.app.url).port),
      lines.join('\r\n') + '\r\n\r\n' + text,
    );
    return { status, id: headers['x-delegation-id'], code: headers['x-error-code'] };
  };
  const charged = async ({ id }: Caller) =>
    (await world.query(`select 1 from holds h join delegations d on d.id = h.delegation_id where d.user_id = $1`, [id]))
      .length;

  it.each([
    ['K', 'K, K', 'K,K', 'K\t, K ,K', ['K', 'K'], ['K,K', 'K'], ['K', 'K', 'K, K']],
    ['a,b', ['a,b', 'a,b'], [' a,b', 'a,b ']],
    ['x'.repeat(255), Array(3).fill('x'.repeat(255)).join(', ')],
  ])('that is repeated is the same key: %s', async (first, ...repeats) => {
    const caller = await world.caller();
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const { status, id } = await send(caller, body, first);
    expect(status).toBe(200);
    for (const lines of repeats) {
      expect([lines, await send(caller, body, ...[lines].flat())]).toEqual([
        lines,
        { status: 200, id, code: undefined },
      ]);
    }
    expect(await charged(caller)).toBe(1);
    for (const line of [first, ...repeats].flat()) {
      const query = new URLSearchParams({ idempotency_key: line.trim() }).toString();
      const { body: found } = await world.get(caller, `/api/chain/delegations?${query}`);
      expect(found['data']).toMatchObject([{ id, idempotency_key: first }]);
    }
  });

  it('whose parts differ is a key of its own, as it stands', async () => {
    const caller = await world.caller();
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const keys = ['K', 'k', 'K,', ',K', 'K,,K', 'K,L', 'L,K', 'K, L', 'K,K,L', 'K,k', 'a,b,a,b'];
    const ids: unknown[] = [];
    for (const line of keys) {
      const { id } = await send(caller, body, line);
      expect(await world.show(id!)).toMatchObject({ idempotency_key: line });
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(keys.length);
  });

  it.each([
    ['K', 'L'],
    ['K', 'k'],
    ['K', ''],
    ['', 'K'],
    ['K', 'K,'],
    ['K, K', 'L, L'],
    ['a,b', 'b,a'],
    ['K', 'K', 'L'],
    ['', ''],
    [','],
    [' , '],
  ])('of different or empty lines is refused, and nothing is held: %j', async (...lines) => {
    const caller = await world.caller();
    const answer = await send(caller, { receiver_address: await world.receiver(), amount: 1 }, ...lines);
    expect(answer).toEqual({ status: 400, id: undefined, code: 'IDEMPOTENCY_KEY_INVALID' });
    expect(await charged(caller)).toBe(0);
  });

  it('of the wrong form is refused', async () => {
    const caller = await world.caller();
    const body = { receiver_address: await world.receiver(), amount: 1 };
    for (const bad of ['x'.repeat(256), 'gr\u00fc\u00df']) {
      const answer = await world.delegate(caller, body, key(bad));
      expect(answer.headers.get('x-error-code')).toBe('IDEMPOTENCY_KEY_INVALID');
    }
  });
});
