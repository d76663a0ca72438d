import { TronWeb } from 'tronweb';
import { TestChain } from '../local-chain/chain.fixture';
import { expectSignature } from './expect-signature';
import { delegation, hexAddress, message, rawData, transfer } from './raw-data';
import { makeWallet, type Result, TestSigner } from './signer.fixture';

const [pool, stock, care, hot] = [makeWallet(), makeWallet(), makeWallet(), makeWallet()];
const receiver = makeWallet().address;

describe('the signer', () => {
  const signer = new TestSigner();
  let said: string;

  beforeAll(async () => {
    signer.configure([
      signer.key('pool', pool),
      signer.key('stock', stock, { role: 'activate', source: { env: 'STOCK_KEY' } }),
      signer.key('care', care, { role: 'stake' }),
      signer.key('unfreezing', care, { role: 'stake', unfreeze: true }),
      { ...signer.key('hot', hot), address: pool.address, permission_id: 2 },
    ]);
    said = await signer.start(undefined, { STOCK_KEY: `0x${stock.privateKey.toUpperCase()}` });
  });
  afterAll(() => signer.remove());

  it('says address and role of each key before it listens', () => {
    expect(said.split('\n')).toEqual([
      `key pool: delegate for ${pool.address}, permission 0, signs as ${pool.address}, no limit`,
      `key stock: activate for ${stock.address}, permission 0, signs as ${stock.address}, no limit`,
      `key care: stake for ${care.address}, permission 0, signs as ${care.address}, no limit`,
      `key unfreezing: stake for ${care.address}, permission 0, signs as ${care.address}, no limit`,
      `key hot: delegate for ${pool.address}, permission 2, signs as ${hot.address}, no limit`,
      'state: new',
      `listening on unix:${signer.socket}`,
      '',
    ]);
  });

  it('signs delegations and what takes them back, and answers in the order of the requests', async () => {
    const lent = { owner: pool.address, receiver, sun: 5_000_000n };
    const all = [delegation(lent), delegation(lent, { type: 58 }), delegation({ ...lent, sun: 1n })];
    const results = await signer.signAll('pool', all);
    for (const [at, result] of results.entries()) expectSignature(result, all[at]!, pool.address);
    expect(signer.lines().slice(-3)).toEqual([
      line('pool', results[0]!, 'DelegateResourceContract', receiver, '5000000'),
      line('pool', results[1]!, 'UnDelegateResourceContract', receiver, '5000000'),
      line('pool', results[2]!, 'DelegateResourceContract', receiver, '1'),
    ]);
  });

  it.each([1n, 1_000_000n])('signs a transfer of %s sun', async (sun) => {
    const bytes = transfer(stock.address, receiver, sun);
    const result = await signer.sign('stock', bytes);
    expectSignature(result, bytes, stock.address);
    expect(signer.lines().at(-1)).toEqual(line('stock', result, 'TransferContract', receiver, String(sun)));
  });

  it.each([
    [4, votes(30), null],
    [13, [], null],
    [
      54,
      [
        [2, 7_000_000n],
        [3, 1n],
      ],
      '7000000',
    ],
    [54, [[2, 7_000_000n]], '7000000'],
    [
      54,
      [
        [2, 7_000_000n],
        [3, 2n],
      ],
      '7000000',
    ],
    [56, [], null],
  ] as const)('signs contract %s of a key with the role stake', async (type, fields, amount) => {
    const bytes = rawData({ type, value: message([1, hexAddress(care.address)], ...fields) });
    for (const key of ['care', 'unfreezing']) expectSignature(await signer.sign(key, bytes), bytes, care.address);
    expect(signer.lines().at(-1)).toMatchObject({ receiver: null, amount });
  });

  it.each([
    [
      55,
      [
        [2, 7_000_000n],
        [3, 1n],
      ],
      '7000000',
    ],
    [59, [], null],
  ] as const)('signs contract %s of a key that may unfreeze, and of no other', async (type, fields, amount) => {
    const bytes = rawData({ type, value: message([1, hexAddress(care.address)], ...fields) });
    expectSignature(await signer.sign('unfreezing', bytes), bytes, care.address);
    expect(signer.lines().at(-1)).toMatchObject({ key: 'unfreezing', receiver: null, amount });
    expect(await signer.sign('care', bytes)).toMatchObject({ error: 'not_allowed' });
  });

  it('signs with a key of another permission', async () => {
    const bytes = delegation({ owner: pool.address, receiver }, { permissionId: 2n });
    expectSignature(await signer.sign('hot', bytes), bytes, hot.address);
  });

  it('gives the same bytes the same signature', async () => {
    const bytes = delegation({ owner: pool.address, receiver });
    expect(await signer.sign('pool', bytes)).toEqual(await signer.sign('pool', bytes));
    expect(await signer.sign('pool', bytes)).toHaveProperty('signature');
  });

  it('says in its health by which address each key signs', async () => {
    expect(await signer.health()).toEqual({
      ok: true,
      keys: [
        { id: 'pool', ok: true, message: `signs as ${pool.address}` },
        { id: 'stock', ok: true, message: `signs as ${stock.address}` },
        { id: 'care', ok: true, message: `signs as ${care.address}` },
        { id: 'unfreezing', ok: true, message: `signs as ${care.address}` },
        { id: 'hot', ok: true, message: `signs as ${hot.address}` },
      ],
    });
  });

  it('signs what tronweb builds, and a node takes it', async () => {
    const { chain } = await TestChain.start();
    const account = chain.accounts.find(({ role }) => role === 'pool')!;
    const other = new TestSigner();
    await other.configure([other.key('pool', { ...account, privateKey: account.private_key })]).start();
    const tronWeb = new TronWeb({ fullHost: chain.url });
    const rich = chain.accounts.find(({ role }) => role === 'rich')!.address;
    const sun = 6_861_111_113;
    const unsigned = await tronWeb.transactionBuilder.delegateResource(sun, rich, 'ENERGY', account.address);
    const { signature } = await other.sign('pool', Buffer.from(unsigned.raw_data_hex, 'hex'));
    const sent = await tronWeb.trx.sendRawTransaction({ ...unsigned, signature: [signature!] });
    expect(sent).toMatchObject({ result: true, txid: other.lines()[0]!.txid });
    await other.remove();
    await chain.close?.();
  });
});

function votes(count: number): [number, Buffer][] {
  return Array.from({ length: count }, () => [2, message([1, hexAddress(makeWallet().address)], [2, 1n])]);
}

function line(key: string, { txid }: Result, kind: string, to: string, amount: string): object {
  return { time: expect.stringMatching(/^\d{4}-.*Z$/), key, txid, kind, receiver: to, amount };
}
