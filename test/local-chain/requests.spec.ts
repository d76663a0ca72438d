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
  const transfer = () => ({ owner_address: chain.rich.hex, to_address: chain.pool.hex, amount: 1 });
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

  it('are told by OPTIONS which methods a route takes, and by HEAD what GET would answer, without its body', async () => {
    const options = async (path: string) => {
      const response = await fetch(`${chain.chain.url}/${path}`, { method: 'OPTIONS' });
      return [response.status, response.headers.get('allow'), await response.text()];
    };
    expect(await options('wallet/getnowblock')).toEqual([200, 'GET, HEAD, POST, TRACE, OPTIONS', '']);
    expect(await options('wallet/broadcasttransaction')).toEqual([200, 'POST, TRACE, OPTIONS', '']);
    expect(await options('wallet/nosuchroute')).toEqual([200, 'GET, HEAD, TRACE, OPTIONS', '']);
    expect(await status('wallet/getnowblock', 'HEAD')).toBe(200);
    expect(await status('wallet/nosuchroute', 'HEAD')).toBe(404);
    expect(await status('wallet/broadcasttransaction', 'HEAD')).toBe(405);
    expect(await status('wallet/getnowblock', 'PATCH')).toBe(405);
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
    expect(await validate('x'.repeat(42))).toEqual({
      result: false,
      message: 'exception decoding Hex string: invalid characters encountered in Hex string',
    });
    expect(await validate(`T0${base58.slice(2)}`)).toEqual({ result: false, message: 'Illegal character 0 at 1' });
    expect(await chain.post('wallet/validateaddress', {})).toEqual({
      result: false,
      message: 'Cannot invoke "String.length()" because "<parameter1>" is null',
    });
    const silent = await fetch(`${chain.chain.url}/wallet/validateaddress`, { method: 'POST' });
    expect([silent.status, await silent.text()]).toEqual([200, '']);
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

  it('of one address by its letters are refused as the JSON is read: by the message, or before it', async () => {
    const error = async (route: string, body: unknown): Promise<string> =>
      String((await chain.post(route, body))['Error']).split(' ')[1]!;
    const { base58 } = chain.pool;
    const format = 'org.tron.core.services.http.JsonFormat$ParseException';
    const decoder = 'org.bouncycastle.util.encoders.DecoderException';
    expect(await error('wallet/getaccount', { address: base58 })).toBe(format);
    expect(await error('wallet/getaccountresource', { address: base58 })).toBe(decoder);
    expect(await error('wallet/createtransaction', { ...transfer(), extra_data: 'zz' })).toBe(decoder);
    const visible = { address: `${base58.slice(0, -1)}0`, visible: true };
    expect(await error('wallet/getaccount', visible)).toBe(format);
    expect(await error('wallet/getaccountresource', visible)).toBe('java.lang.IllegalArgumentException');
    // A checksum that does not fit is null to the node: an account that does not exist, or an exception.
    const broken = { address: `${base58.slice(0, -1)}${base58.endsWith('1') ? '2' : '1'}`, visible: true };
    expect(await error('wallet/getaccount', broken)).toBe('java.lang.NullPointerException');
    expect(await chain.post('wallet/getaccountresource', broken)).toEqual({});
    expect(await send('wallet/getaccount', 'null', 'application/json')).toEqual({
      Error: 'class java.lang.NullPointerException : null',
    });
  });

  it('for the index of what is not an address are answered with nothing', async () => {
    for (const route of ['getdelegatedresourceaccountindexv2', 'getdelegatedresourceaccountindex']) {
      for (const body of [{}, { value: '41' }, { value: 'T1', visible: true }])
        expect(await chain.post(`wallet/${route}`, body)).toEqual({});
      const { hex, base58 } = named('nobody');
      expect(await chain.post(`wallet/${route}`, { value: hex })).toEqual({ account: hex });
      expect(await chain.post(`wallet/${route}`, { value: base58, visible: true })).toEqual({ account: base58 });
    }
  });

  it('for a range of blocks from below genesis find none, for one of too many or none at all not even a list', async () => {
    const range = (startNum: unknown, endNum: unknown): Promise<unknown> =>
      send('wallet/getblockbylimitnext', `{"startNum":${String(startNum)},"endNum":${String(endNum)}}`, 'text/plain');
    expect(await range(-1, 4)).toEqual({ block: [] });
    expect(await range(-1, 100)).toEqual({});
    expect(await range(-3, -1)).toEqual({});
    expect(await range('-9223372036854775808', 4)).toEqual({});
    expect(await range('9223372036854775800', '9223372036854775807')).toEqual({ block: [] });
  });

  it('for the balance at a block are held against that block', async () => {
    const balance = (at: unknown, account: unknown = { address: chain.pool.hex }): Promise<unknown> =>
      chain.post('wallet/getaccountbalance', { account_identifier: account, block_identifier: at });
    const { blockID: hash } = (await block('1')) as { blockID: string };
    expect(await balance({ hash, number: 1 })).toEqual({ block_identifier: { hash, number: 1 } });
    const illegal = (text: string) => ({ Error: `class java.lang.IllegalArgumentException : ${text}` });
    expect(await balance({ hash, number: 2 })).toEqual(illegal('number and hash do not match'));
    expect(await balance({ hash: 'ab', number: 1 })).toEqual(illegal('block_identifier hash length not equals 32'));
    expect(await balance({ hash, number: -1 })).toEqual(illegal('block_identifier number less than 0'));
    expect(await balance({ hash, number: 1 }, {})).toEqual(illegal('account_identifier address is null'));
    expect(await balance({ hash, number: 9999 })).toEqual({
      Error: 'class org.tron.core.exception.ItemNotFoundException : number: 9999 is not found!',
    });
  });

  it('by a method that a route does not take, or to no route, are answered with a page of the server', async () => {
    const page = async (path: string, method: string): Promise<string> =>
      (await (await fetch(`${chain.chain.url}/${path}`, { method })).text())
        .replace(/<[^>]*>/g, '')
        .replace(/\s+/g, ' ');
    expect(await page('wallet/getnowblock', 'PUT')).toMatch(
      /^ Error 405 HTTP method PUT is not supported by this URL /,
    );
    expect(await page('a<b', 'GET')).toContain('URI:/a%3Cb STATUS:404 MESSAGE:Not Found');
    const silent = await fetch(`${chain.chain.url}/wallet/createtransaction`);
    expect([silent.status, await silent.text()]).toEqual([200, '']);
  });

  it('of more than the node takes are refused without being kept', async () => {
    const answer = await chain.post('wallet/getaccount', { address: 'ab'.repeat(3_000_000) });
    expect(answer).toEqual({ Error: 'class java.lang.Exception : body size is too big, the limit is 4194304' });
  });
});
