import { TestChain, named } from './chain.fixture';

describe('requests', () => {
  let chain: TestChain;
  beforeAll(async () => {
    chain = await TestChain.start();
    await chain.blocks(3);
  });
  afterAll(() => chain.close());

  const get = async (path: string): Promise<unknown> => (await fetch(`${chain.chain.url}/${path}`)).json();
  const send = async (path: string, body: string, type: string): Promise<unknown> =>
    (await fetch(`${chain.chain.url}/${path}`, { method: 'POST', body, headers: { 'content-type': type } })).json();

  const status = async (path: string, method: string): Promise<number> =>
    (await fetch(`${chain.chain.url}/${path}`, { method })).status;
  const block = (which: string): Promise<unknown> => chain.post('wallet/getblock', { id_or_num: which });

  it('say the same as a query, as JSON of any content type, and as a form', async () => {
    const { hex, base58 } = chain.pool;
    const answer = await chain.account(chain.pool);
    expect(await get(`wallet/getaccount?address=${hex}`)).toEqual(answer);
    expect(
      await send('wallet/getaccount', JSON.stringify({ address: hex }), 'application/x-www-form-urlencoded'),
    ).toEqual(answer);
    expect(await send('wallet/getaccount', `address=${hex}`, 'application/x-www-form-urlencoded')).toEqual(answer);
    const visible = await get(`wallet/getaccount?address=${base58}&visible=true`);
    expect(visible).toMatchObject({ address: base58, owner_permission: { keys: [{ address: base58, weight: 1 }] } });
    expect(await get('wallet/getblockbynum?num=1')).toEqual(await chain.post('wallet/getblockbynum', { num: 1 }));
    expect(await get('wallet/getblock?id_or_num=1&detail=true')).toEqual(
      await chain.post('wallet/getblockbynum', { num: 1 }),
    );
    expect(await get('wallet/getblockbynum?num=one')).toEqual({
      Error: 'class java.lang.NumberFormatException : For input string: "one"',
    });
  });

  it('meet a route that is not there, or not by this method, as a real node answers', async () => {
    expect(await status('wallet/nosuchroute', 'GET')).toBe(404);
    expect(await status('wallet/nosuchroute', 'POST')).toBe(405);
    expect(await status('wallet/broadcasttransaction', 'GET')).toBe(405);
    expect(await status('walletsolidity/getaccountresource', 'POST')).toBe(405);
    expect(await status('walletsolidity/getchainparameters', 'GET')).toBe(404);
    expect(await status('walletsolidity/broadcasttransaction', 'POST')).toBe(405);
  });

  it('of addresses are judged by their length first', async () => {
    const validate = (address: string): Promise<unknown> => chain.post('wallet/validateaddress', { address });
    const { hex, base58 } = chain.pool;
    expect(await validate(base58)).toEqual({ result: true, message: 'Base58check format' });
    expect(await validate(hex)).toEqual({ result: true, message: 'Hex string format' });
    expect(await validate(Buffer.from(hex, 'hex').toString('base64'))).toEqual({
      result: true,
      message: 'Base64 format',
    });
    expect(await validate(`${base58.slice(0, -1)}1`)).toEqual({ result: false, message: 'Invalid address' });
    expect(await validate(`a0${hex.slice(2)}`)).toEqual({ result: false, message: 'Invalid address' });
    expect(await validate('short')).toEqual({ result: false, message: 'Length error' });
  });

  it('for a block name a height or an id, and nothing else', async () => {
    expect(await block('-1')).toEqual({ Error: 'num must be non-positive number.' });
    expect(await block('abc')).toEqual({ Error: 'id must be legal block hash.' });
    expect(await block('99999')).toEqual({});
    expect(await block('ab'.repeat(32))).toEqual({});
  });

  it('for what an account may do are answered with a space after each colon, blocks without', async () => {
    const text = async (route: string, body: unknown): Promise<string> => (await chain.call(route, body)).text;
    expect(await text('wallet/getaccountresource', { address: chain.activate.hex })).toMatch(
      /^\{"freeNetLimit": 600,"TotalNetLimit": 43200000000,/,
    );
    expect(await text('wallet/getnowblock', {})).toMatch(/^\{"blockID":"/);
    expect(await text('wallet/getaccount', { address: named('nobody').hex })).toBe('{}');
  });

  it('of more than the node takes are refused without being kept', async () => {
    const answer = await chain.post('wallet/getaccount', { address: 'ab'.repeat(3_000_000) });
    expect(answer).toEqual({ Error: 'class java.lang.Exception : body size is too big, the limit is 4194304' });
  });
});
