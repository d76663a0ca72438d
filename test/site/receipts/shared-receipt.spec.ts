import { verifyReceipt } from '../../../clients/typescript/src/receipt/verify-receipt.mjs';
import { MOST_RECEIPTS } from '../../../src/site/receipts/receipt-limit';
import { OrderWorld } from '../../support/order-world';
import { finalOrder, share, type SharedOrder, SIGNED, untilSigned } from './shared-order';

describe('a shared receipt', () => {
  let world: OrderWorld;
  let order: SharedOrder;
  let other: SharedOrder;
  beforeAll(async () => {
    world = await OrderWorld.open(SIGNED);
    await untilSigned(world);
    order = await finalOrder(world, 'ann.secret@example.com');
    other = await finalOrder(world, 'bob@example.com');
  });
  afterAll(() => world.close());

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${world.app.url}${path}`, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  /** But for what differs from request to request. */
  const missing = async (path: string) => {
    const { status, headers, text } = await get(path);
    return { status, cache: headers.get('cache-control'), text };
  };

  it('shows what was delegated to whom, without the name of its customer and without the price', async () => {
    const path = await share(order);
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('set-cookie')).toBeNull();
    expect(text).toContain(order.receiver);
    const view = (await world.show(order.id))!;
    expect(text).toContain(view.txid);
    for (const secret of [order.user.email, 'ann.secret', order.id, order.user.id]) expect(text).not.toContain(secret);
    expect(text.replaceAll(/<[^>]*>/g, ' ')).not.toMatch(/\b3(?:\.0+)? ?TRX|price|cost/i);
    expect(text).toContain('not yet');
  });

  it('offers the file of the route, which the witnesses of the chain prove', async () => {
    const path = await share(order);
    const file = await get(`${path}/receipt.json`);
    expect(file.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { data } = JSON.parse(file.text) as { data: { witnesses: { address: string; signing_address: string }[] } };
    expect(verifyReceipt(file.text, data)).toMatchObject({ receiver_address: order.receiver, witnesses: 19 });
    const [set] = await world.query('select witnesses from witness_set');
    const known = (set!['witnesses'] as { address: string }[]).map(({ address }) => address);
    expect(data.witnesses.map(({ address }) => address).toSorted()).toEqual(known.toSorted());
  });

  it('shows in Chinese what a Chinese browser asks for, and when the energy was taken back', async () => {
    const path = await share(order);
    const chinese = await get(path, { 'accept-language': 'zh-CN' });
    expect(chinese.text).toContain('<html lang="zh-Hans">');
    expect(chinese.text).toContain('能量委托凭证');
    expect((await get(`${path}?lang=zh`)).text).toContain('能量委托凭证');
    await world.query(`update delegations set reclaimed_at = '2026-11-22T09:15:30Z' where id = $1 returning 1`, [
      order.id,
    ]);
    expect((await get(path)).text).toContain('2026-11-22 09:15 UTC');
  });

  it('has one key, however often it is shared, of 128 random bits', async () => {
    const [path, ...others] = await Promise.all([share(other), share(other), share(other)]);
    expect(others).toEqual([path, path]);
    expect(await share(order)).not.toBe(path);
    expect(Buffer.from(path.slice('/r/'.length), 'base64url')).toHaveLength(16);
  });

  it('that was withdrawn answers as one that never was, and another share has another key', async () => {
    const path = await share(order);
    const page = `/panel/orders/${order.id}`;
    expect(await order.panel.submit(page, `${page}/receipt/withdraw`)).toMatchObject({ status: 303 });
    const never = await missing(`/r/${'A'.repeat(22)}`);
    expect(never).toMatchObject({ status: 404, cache: 'no-store' });
    for (const gone of [path, '/r/x', `/r/${'A'.repeat(500)}`, '/r/%00', '/r/..%2f..%2fpanel', `/r/${order.id}`])
      expect(await missing(gone)).toEqual(never);
    expect(await missing(`${path}/receipt.json`)).toEqual(never);
    expect(await share(order)).not.toBe(path);
  });

  it('leaves an entry in the audit log when it is made or withdrawn, one for two clicks, and never its key', async () => {
    const third = await finalOrder(world, 'cleo@example.com');
    const paths = await Promise.all([share(third), share(third)]);
    const page = `/panel/orders/${third.id}`;
    for (let n = 0; n < 2; n += 1) await third.panel.submit(page, `${page}/receipt/withdraw`);
    const log = await world.query(
      `select actor_id, action, subject, outcome, before, after from audit_log where action like 'receipt.%' and actor_id = $1 order by id`,
      [third.user.id],
    );
    const entry = { actor_id: third.user.id, subject: `user ${third.user.id}`, outcome: 'done' };
    expect(log).toEqual([
      { ...entry, action: 'receipt.share', before: null, after: { order: third.id } },
      { ...entry, action: 'receipt.withdraw', before: { order: third.id }, after: null },
    ]);
    expect(paths[0]).toBe(paths[1]);
  });

  it('is made and withdrawn 120 times an hour at most: the audit log keeps each for ever', async () => {
    const fourth = await finalOrder(world, 'dora@example.com');
    const page = `/panel/orders/${fourth.id}`;
    const _csrf = /name="_csrf" value="([^"]+)"/.exec((await fourth.panel.get(page)).text)![1]!;
    const statuses: number[] = [];
    for (let n = 0; n < 121; n += 1) {
      const act = n % 2 === 0 ? 'share' : 'withdraw';
      statuses.push((await fourth.panel.post(`${page}/receipt/${act}`, { _csrf })).status);
    }
    expect(statuses).toEqual([...Array<number>(120).fill(303), 429]);
  });

  it("is made and withdrawn by the order's customer alone", async () => {
    const path = await share(order);
    const page = `/panel/orders/${order.id}`;
    const form = `/panel/orders/${other.id}`;
    expect((await other.panel.submit(form, `${page}/receipt/share`)).status).toBe(404);
    expect((await other.panel.submit(form, `${page}/receipt/withdraw`)).status).toBe(404);
    expect((await other.panel.get(page)).status).toBe(404);
    expect((await get(path)).status).toBe(200);
  });

  it('is not made of an order without a receipt', async () => {
    const page = `/panel/orders/${other.id}`;
    await world.query(
      `update chain_transactions set tail = null where subject_id = $1 and purpose = 'delegation' returning 1`,
      [other.id],
    );
    expect((await other.panel.get(page)).text).not.toContain('receipt/share');
    expect((await other.panel.submit('/panel/account', `${page}/receipt/share`)).status).toBe(404);
  });

  it('is opened so often a minute from one network, found or not', async () => {
    const instance = await world.startInstance();
    const open = (path: string) => fetch(`${instance.url}${path}`);
    const path = await share(order);
    const answers = [];
    for (let at = 0; at <= MOST_RECEIPTS; at++) answers.push(await open(at % 2 === 0 ? path : '/r/unknown'));
    expect(answers.at(-2)!.status).toBe(404);
    const refused = answers.at(-1)!;
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(await refused.text()).toContain('Too many requests');
    expect((await open(`${path}/receipt.json`)).status).toBe(429);
    // What costs no look into the database goes on.
    expect((await open('/docs/en')).status).toBe(200);
    await world.stopInstance(instance);
  });
});
