import fc from 'fast-check';
import { utils } from 'tronweb';
import type { Contract, ContractValues } from '../../src/chain/transactions/kinds/contract';
import { readRawData, UnreadableRawDataError } from '../../src/chain/transactions/signing/raw-data.reader';
import { ACTIVATION, DELEGATION } from '../../src/delegation/transaction-kinds';
import { delegation, hexAddress, transfer } from './raw-data';
import { makeWallet, type Result, TestSigner } from './signer.fixture';

const [pool, stock] = [makeWallet(), makeWallet()];
const receiver = makeWallet().address;
const DAY_MS = 24 * 60 * 60 * 1_000;
const MOST = 100;

/** What the service's own reader says of the bytes, as long as it is something that the signer's key may sign. */
function readByService(bytes: Buffer, contract: Contract, owner: string): ContractValues | null {
  try {
    const { values, typeUrl, permissionId, refBlockBytes, refBlockHash, expirationMs } = readRawData(bytes, contract);
    const isGood =
      typeUrl === `type.googleapis.com/protocol.${contract.name}` &&
      permissionId === 0n &&
      values['owner_address'] === hexAddress(owner).toString('hex') &&
      (contract !== DELEGATION.contract || values['resource'] === 'ENERGY') &&
      refBlockBytes.length === 4 &&
      refBlockHash.length === 16 &&
      expirationMs > 0n &&
      expirationMs <= BigInt(Date.now() + DAY_MS);
    const amount = values['balance'] ?? values['amount'];
    const to = (values['receiver_address'] ?? values['to_address']) as string;
    const isAmount =
      typeof amount === 'bigint' && amount > 0n && (contract === DELEGATION.contract || amount <= 1_000_000n);
    return isGood && isAmount && /^41[0-9a-f]{40}$/.test(to) ? { to, amount } : null;
  } catch (error) {
    if (error instanceof UnreadableRawDataError) return null;
    throw error;
  }
}

describe('the reader of the signer and the reader of the service', () => {
  const signer = new TestSigner();
  beforeAll(() =>
    signer.configure([signer.key('pool', pool), signer.key('stock', stock, { role: 'activate' })]).start(),
  );
  afterAll(() => signer.remove());

  async function signAll(key: string, all: readonly Buffer[]): Promise<Result[]> {
    const results: Result[] = [];
    for (let at = 0; at < all.length; at += MOST)
      results.push(...(await signer.signAll(key, all.slice(at, at + MOST))));
    return results;
  }

  /** Signed is what both read, with the receiver and the amount that both read; all else is refused. */
  async function expectAgreement(
    key: string,
    all: readonly Buffer[],
    contract: Contract,
    owner: string,
  ): Promise<number> {
    const before = signer.lines().length;
    const results = await signAll(key, all);
    const read = all.map((bytes) => readByService(bytes, contract, owner));
    const lines = new Map(
      signer
        .lines()
        .slice(before)
        .map((line) => [line.txid, line]),
    );
    const wrong = all.filter((_bytes, at) => (results[at]!.signature !== undefined) !== (read[at] !== null));
    expect(wrong.map((bytes) => bytes.toString('hex'))).toEqual([]);
    for (const [at, { txid }] of results.entries()) {
      if (txid === undefined) continue;
      const { receiver: to, amount } = lines.get(txid)!;
      expect({ to: utils.address.toHex(to!).toLowerCase(), amount: BigInt(amount!) }).toEqual(read[at]);
    }
    return lines.size;
  }

  it.each([
    ['pool', delegation({ owner: pool.address, receiver, sun: 5_000_000n }), DELEGATION.contract, pool.address],
    ['stock', transfer(stock.address, receiver, 1n), ACTIVATION.contract, stock.address],
  ])('agree on each change of one bit, of what %s signs', async (key, bytes, contract, owner) => {
    const changed = Array.from({ length: bytes.length * 8 }, (_, bit) => {
      const copy = Buffer.from(bytes);
      copy[bit >> 3]! ^= 1 << (bit & 7);
      return copy;
    });
    const signed = await expectAgreement(key, [bytes, ...changed], contract, owner);
    // Reference block, receiver, some of the amount and the times: what a caller may choose.
    expect(signed).toBeGreaterThan(200);
    expect(signed).toBeLessThan(changed.length / 3);
  });

  it('agree on bytes that are cut, doubled, moved and made up', async () => {
    const bytes = delegation({ owner: pool.address, receiver, sun: 5_000_000n });
    const place = fc.nat(bytes.length);
    const change = fc.record({ from: place, to: place, with: fc.uint8Array({ maxLength: 12 }), again: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: MOST, maxLength: MOST }), async (changes) => {
        const all = changes.map(({ from, to, with: more, again }) =>
          Buffer.concat([
            bytes.subarray(0, again ? Math.max(from, to) : from),
            more,
            bytes.subarray(Math.min(from, to)),
          ]),
        );
        await expectAgreement('pool', all, DELEGATION.contract, pool.address);
      }),
      { numRuns: 20 },
    );
  });
});
