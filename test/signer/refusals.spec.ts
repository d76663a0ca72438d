import {
  CONTRACT_NAMES,
  contractOf,
  delegation,
  type Field,
  hexAddress,
  message,
  rawData,
  transfer,
  varint,
} from './raw-data';
import { makeWallet, type Result, TestSigner } from './signer.fixture';

const [pool, stock, care] = [makeWallet(), makeWallet(), makeWallet()];
const [receiver, stranger] = [makeWallet().address, makeWallet().address];
const DAY_MS = 24 * 60 * 60 * 1_000;

/** What each role signs: without and with the right to unfreeze. */
const SIGNED: Readonly<Record<string, readonly number[]>> = {
  pool: [57, 58],
  stock: [1],
  care: [4, 13, 54, 56],
  unfreezing: [4, 13, 54, 55, 56, 59],
};
const OWNERS: Readonly<Record<string, string>> = {
  pool: pool.address,
  stock: stock.address,
  care: care.address,
  unfreezing: care.address,
};

/** Good values of the contracts that some role signs; of the others, the owner alone. */
function valueOf(type: number, owner: string): Buffer {
  const [from, to] = [hexAddress(owner), hexAddress(receiver)];
  const fields: Readonly<Record<number, readonly Field[]>> = {
    1: [
      [2, to],
      [3, 1n],
    ],
    4: [[2, message([1, to], [2, 1n])]],
    54: [
      [2, 1n],
      [3, 1n],
    ],
    55: [
      [2, 1n],
      [3, 1n],
    ],
    57: [
      [2, 1n],
      [3, 1n],
      [4, to],
    ],
    58: [
      [2, 1n],
      [3, 1n],
      [4, to],
    ],
  };
  return message([1, from], ...(fields[type] ?? []));
}

describe('with nothing but the socket', () => {
  const signer = new TestSigner();

  beforeAll(async () => {
    await signer
      .configure([
        signer.key('pool', pool),
        signer.key('stock', stock, { role: 'activate' }),
        signer.key('care', care, { role: 'stake', unfreeze: false }),
        signer.key('unfreezing', care, { role: 'stake', unfreeze: true }),
      ])
      .start();
  });
  afterAll(() => signer.remove());

  /** Each of them is refused, and leaves nothing in the log. */
  async function expectRefused(key: string, all: readonly Buffer[], error: string | RegExp): Promise<Result[]> {
    const before = signer.lines().length;
    const results = await signer.signAll(key, all);
    for (const result of results) {
      expect(Object.keys(result)).toEqual(['error', 'message']);
      expect(result.error).toMatch(error);
    }
    expect(signer.lines()).toHaveLength(before);
    return results;
  }

  it.each(Object.keys(SIGNED))('the key %s signs the contracts of its role, and no other of TRON', async (key) => {
    const types = [...Object.keys(CONTRACT_NAMES).map(Number), 7, 21, 47, 50, 60, 127, 128, 2_147_483_647];
    const all = types.map((type) => rawData({ type, value: valueOf(type, OWNERS[key]!) }));
    const results = await signer.signAll(key, all);
    const signed = types.filter((_type, at) => results[at]!.signature !== undefined);
    expect(signed).toEqual(SIGNED[key]);
    const refused = results.filter((result) => result.signature === undefined);
    expect(new Set(refused.map(({ error }) => error))).toEqual(new Set(['not_allowed']));
  });

  it.each(Object.keys(SIGNED))('the key %s signs for no other owner', async (key) => {
    const all = SIGNED[key]!.map((type) => rawData({ type, value: valueOf(type, stranger) }));
    const results = await expectRefused(key, all, 'not_allowed');
    for (const { message: said } of results) expect(said).toBe("the owner is not the key's address");
  });

  it.each([1n, 2n, 9n, -1n, 1n << 32n])('the key signs nothing of permission %s', async (permissionId) => {
    await expectRefused('pool', [delegation({ owner: pool.address, receiver }, { permissionId })], 'not_allowed');
  });

  it('signs no locked delegation, and no other resource than energy', async () => {
    const lent = { owner: pool.address, receiver };
    const locked = [
      { ...lent, lock: 1n },
      { ...lent, lock: 1n, lockPeriod: 86_400n },
      { ...lent, lockPeriod: 1n },
    ];
    await expectRefused(
      'pool',
      locked.map((one) => delegation(one)),
      'not_allowed',
    );
    const others = [0n, 2n, 3n, -1n].flatMap((resource) => [
      delegation({ ...lent, resource }),
      delegation({ ...lent, resource }, { type: 58 }),
    ]);
    await expectRefused('pool', others, 'not_allowed');
  });

  it.each([0n, -1n, 1_000_001n, 2_000_000n, 2n ** 62n, -(2n ** 63n)])('signs no transfer of %s sun', async (sun) => {
    await expectRefused('stock', [transfer(stock.address, receiver, sun)], 'not_allowed');
  });

  it('signs no delegation of nothing', async () => {
    const all = [0n, -1n].map((sun) => delegation({ owner: pool.address, receiver, sun }));
    await expectRefused('pool', all, 'not_allowed');
  });

  it('signs for no receiver that is not an address', async () => {
    const address = hexAddress(receiver);
    const wrong = [
      address.subarray(1),
      Buffer.concat([address, Buffer.alloc(1)]),
      Buffer.from(address).fill(0x42, 0, 1),
    ];
    const all = wrong.map((bytes) =>
      rawData({ type: 57, value: message([1, hexAddress(pool.address)], [2, 1n], [3, 1n], [4, bytes]) }),
    );
    await expectRefused('pool', all, 'not_allowed');
  });

  it('signs no vote that is empty, for too many, or without a count', async () => {
    const vote = (...fields: Field[]): Field => [2, message(...fields)];
    const good: Field[] = [
      [1, hexAddress(receiver)],
      [2, 1n],
    ];
    const wrong: Field[][] = [
      [],
      Array.from({ length: 31 }, () => vote(...good)),
      [vote(good[0]!)],
      [vote(good[0]!, [2, -1n])],
      [vote([1, Buffer.from('41', 'hex')], [2, 1n])],
      [vote(...good, [3, 1n])],
      [vote(...good), [3, 1n]],
    ];
    const all = wrong.map((votes) => rawData({ type: 4, value: message([1, hexAddress(care.address)], ...votes) }));
    await expectRefused('care', all, 'not_allowed');
  });

  it('signs up to 24 hours ahead', async () => {
    const lent = { owner: pool.address, receiver };
    const later = [Date.now() + DAY_MS + 60_000, Number.MAX_SAFE_INTEGER];
    await expectRefused(
      'pool',
      later.map((expirationMs) => delegation(lent, { expirationMs })),
      'not_allowed',
    );
    await expectRefused('pool', [delegation(lent, { expirationMs: -1 })], 'not_allowed');
    const { signature } = await signer.sign('pool', delegation(lent, { expirationMs: Date.now() + DAY_MS - 60_000 }));
    expect(signature).toBeDefined();
  });

  it('signs one contract, under its own name', async () => {
    const parts = { type: 57, value: valueOf(57, pool.address) };
    const second = contractOf({ type: 1, value: valueOf(1, pool.address) });
    await expectRefused('pool', [rawData(parts, { after: [[11, second]] })], 'not_allowed');
    await expectRefused('pool', [rawData(parts, { before: [[11, second]] })], 'not_allowed');
    const typeUrls = ['', 'protocol.DelegateResourceContract', 'type.googleapis.com/protocol.TransferContract'];
    await expectRefused(
      'pool',
      typeUrls.map((typeUrl) => rawData({ ...parts, typeUrl })),
      /not_allowed|unreadable/,
    );
  });

  it('signs no field that it does not know', async () => {
    const parts = { type: 57, value: valueOf(57, pool.address) };
    const memo: Field = [10, Buffer.from('memo')];
    const raw = [
      rawData(parts, { before: [[3, 1n]] }),
      rawData(parts, { before: [[9, message([1, hexAddress(pool.address)])]] }),
      rawData(parts, { before: [memo] }),
      rawData(parts, { after: [[12, Buffer.from('script')]] }),
    ];
    const refused = await signer.signAll('pool', raw);
    expect(refused.map(({ error }) => error)).toEqual(['unreadable', 'not_allowed', 'not_allowed', 'not_allowed']);
    const fee = Buffer.concat([rawData(parts), message([18, 1_000_000n])]);
    const inValue = rawData({ ...parts, value: Buffer.concat([parts.value, message([7, 1n])]) });
    const fixed = Buffer.concat([rawData(parts), Buffer.from('7d00000000', 'hex')]);
    await expectRefused('pool', [fee, inValue, fixed], 'not_allowed');
  });

  it('reads no bytes that could be written in another way', async () => {
    const bytes = delegation({ owner: pool.address, receiver, sun: 1_000_000n });
    const hex = bytes.toString('hex');
    const value = (...fields: Field[]) => rawData({ type: 57, value: message(...fields) });
    const owner: Field = [1, hexAddress(pool.address)];
    const to: Field = [4, hexAddress(receiver)];
    const short = message(owner, [2, 1n], [3, 1_000_000n], to).toString('hex');
    expect(short).toContain('18c0843d');
    const wrong = [
      // Bytes at the end: a tag without a field, a half number, a part that ends too soon.
      ...['00', '80', 'ff', '7a05', '0b', '0c', '0f'].map((more) => Buffer.from(`${hex}${more}`, 'hex')),
      bytes.subarray(0, -1),
      // A number in more bytes than it needs.
      rawData({ type: 57, value: Buffer.from(short.replace('18c0843d', '18c084bd00'), 'hex') }),
      // Fields twice, in another order, and with their defaults.
      value(owner, [2, 1n], [3, 1n], [3, 2n], to),
      value(owner, owner, [2, 1n], [3, 1n], to),
      value([2, 1n], owner, [3, 1n], to),
      value(owner, [2, 1n], [3, 1n], to, [5, 0n]),
      value(owner, [2, 1n], [3, 1n], to, [6, 0n]),
      // Another wire type.
      value(owner, [2, 1n], [3, Buffer.from([1])], to),
      Buffer.concat([varint(8n), varint(1n), bytes]),
    ];
    expect(wrong.filter((one) => one.equals(bytes))).toEqual([]);
    await expectRefused('pool', wrong, 'unreadable');
    // Its first field is whatever the length of the reference reads as.
    await expectRefused('pool', [bytes.subarray(1)], /unreadable|not_allowed/);
  });

  it('finds no key of another name, and reads nothing but hex', async () => {
    const good = delegation({ owner: pool.address, receiver }).toString('hex');
    const { body } = await signer.post({
      requests: [
        { key: 'Pool', raw_data_hex: good },
        { key: '__proto__', raw_data_hex: good },
        { key: 'pool', raw_data_hex: '' },
        { key: 'pool', raw_data_hex: `0x${good}` },
        { key: 'pool', raw_data_hex: good.slice(1) },
        { key: 'pool', raw_data_hex: '00'.repeat(4_097) },
        { key: 'pool' },
        { key: 7, raw_data_hex: good },
        { key: 'pool', raw_data_hex: good, force: true },
        null,
        { key: 'pool', raw_data_hex: good.toUpperCase() },
      ],
    });
    const codes = body.results.map(({ error }) => error);
    const unknown = ['unknown_key', 'unknown_key'];
    expect(codes).toEqual([...unknown, ...Array.from({ length: 8 }, () => 'unreadable'), undefined]);
  });
});
