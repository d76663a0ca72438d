import { FAULT_KINDS } from '../../local-chain/src/control/fault.plan';
import { TestChain, until, type Answer, type Built, type Key } from './chain.fixture';

const ROUTE = 'wallet/broadcasttransaction';

describe('faults on request', () => {
  let chain: TestChain;
  let owner: Key;
  let receiver: Key;
  let amount = 0;
  beforeAll(async () => {
    chain = await TestChain.start();
    owner = await chain.put('owner', 100_000);
    receiver = await chain.put('receiver', 10);
  });
  afterAll(() => chain.close());

  const fault = (kind: string, more: Answer = {}): Promise<Answer> =>
    chain.control('fault', { route: ROUTE, kind, ...more });
  const faults = async (): Promise<unknown[]> =>
    (await fault('none', { route: 'wallet/getburntrx' }))['faults'] as unknown[];
  const transfer = (): Promise<Built> => chain.transfer(owner, receiver, ++amount);
  const pooled = async (tx: Built): Promise<boolean> =>
    'txID' in (await chain.post('wallet/gettransactionfrompending', { value: tx.txID }));
  const attempt = async (tx: Built, signal?: AbortSignal): Promise<{ status: number; text: string } | string> => {
    try {
      const response = await fetch(`${chain.chain.url}/${ROUTE}`, {
        method: 'POST',
        body: JSON.stringify(chain.sign(tx, owner)),
        signal: signal ?? null,
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      return (error as Error).name;
    }
  };

  it.each([
    ['500', 500, false],
    ['pool-then-500', 500, true],
    ['503', 503, false],
    ['pool-then-503', 503, true],
    ['429', 429, false],
    ['403', 403, false],
    ['html', 200, false],
    ['pool-then-html', 200, true],
  ])('%s answers %i, pooled: %s', async (kind, status, isPooled) => {
    await fault(kind);
    const tx = await transfer();
    expect(await attempt(tx)).toMatchObject({ status, text: expect.not.stringContaining('"result":true') });
    expect(await pooled(tx)).toBe(isPooled);
    await chain.blocks();
  });

  it.each([
    ['cut', 'TypeError', false],
    ['pool-then-cut', 'TypeError', true],
    ['reset', 'TypeError', false],
    ['pool-then-reset', 'TypeError', true],
  ])('%s ends without a whole answer, pooled: %s', async (kind, error, isPooled) => {
    await fault(kind);
    const tx = await transfer();
    expect(await attempt(tx)).toBe(error);
    expect(await pooled(tx)).toBe(isPooled);
    await chain.blocks();
  });

  it.each([
    ['timeout', false],
    ['pool-then-timeout', true],
  ])('%s never answers, pooled: %s', async (kind, isPooled) => {
    await fault(kind);
    const tx = await transfer();
    const controller = new AbortController();
    const answer = attempt(tx, controller.signal);
    // A fault is used up by the call that it was for.
    await until(async () => (await faults()).length === 0);
    if (isPooled) await until(() => pooled(tx));
    controller.abort();
    expect(await answer).toBe('AbortError');
    expect(await pooled(tx)).toBe(isPooled);
    await chain.blocks();
  });

  it.each([
    ['p2p-failed', 'NOT_ENOUGH_EFFECTIVE_CONNECTION', 'P2P broadcast failed.', true],
    ['pool-then-OTHER_ERROR', 'OTHER_ERROR', 'Error: asked for by a fault', true],
    ['pool-then-p2p-failed', 'NOT_ENOUGH_EFFECTIVE_CONNECTION', 'P2P broadcast failed.', true],
    ['dup', 'DUP_TRANSACTION_ERROR', 'Transaction already exists.', false],
    ['busy', 'SERVER_BUSY', 'Server busy.', false],
    ['TAPOS_ERROR', 'TAPOS_ERROR', 'Tapos check error.', false],
    ['TRANSACTION_EXPIRATION_ERROR', 'TRANSACTION_EXPIRATION_ERROR', 'Transaction expired', false],
    ['BLOCK_UNSOLIDIFIED', 'BLOCK_UNSOLIDIFIED', 'Block unsolidified.', false],
  ])('%s answers %s "%s", pooled: %s', async (kind, code, message, isPooled) => {
    await fault(kind);
    const tx = await transfer();
    expect(await chain.send(tx, owner)).toEqual({ code, message, txid: tx.txID });
    expect(await pooled(tx)).toBe(isPooled);
    await chain.blocks();
  });

  it('lasts for as many calls as asked for, of its route alone', async () => {
    await fault('busy', { count: '2' });
    for (const code of ['SERVER_BUSY', 'SERVER_BUSY', undefined])
      expect((await chain.send(await transfer(), owner))['code']).toBe(code);
    await chain.control('fault', { route: '/wallet/getaccount', kind: 'rate-limited', count: 1 });
    expect(await chain.head()).toHaveProperty('number');
    expect(await chain.account(owner)).toEqual({
      Error: 'class java.lang.IllegalAccessException : lack of computing resources',
    });
    expect(await chain.account(owner)).toHaveProperty('balance');
  });

  it('is refused, with the list of kinds, when it is none', async () => {
    const refused = await chain.call('control/fault', { route: ROUTE, kind: 'gremlins' });
    expect(refused.status).toBe(400);
    for (const kind of FAULT_KINDS) expect(refused.text).toContain(kind);
    expect(await chain.call('control/fault', { route: 'wallet/nosuchroute', kind: '500' })).toMatchObject({
      status: 400,
    });
    expect(await chain.call('control/fault', { route: 'wallet/getaccount', kind: 'p2p-failed' })).toMatchObject({
      status: 400,
    });
  });

  it('is not to be had without --control', async () => {
    const plain = await TestChain.start({ control: false });
    expect(await plain.call('control/block')).toMatchObject({ status: 405 });
    expect((await fetch(`${plain.chain.url}/control/state`)).status).toBe(404);
    await plain.close();
  });
});
