import fc from 'fast-check';
import { checkTapos, type ChainFacts } from '../../src/local-chain/chain/transaction.execution';
import { ChainTransaction } from '../../src/local-chain/chain/transaction.model';
import { RAW } from '../../src/local-chain/protobuf/transaction.schema';
import { empty } from '../../src/local-chain/protobuf/wire.codec';
import { recoverAddress, recoverWithTronweb, sign } from '../../src/local-chain/signing/secp256k1';
import { named } from './chain.fixture';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const idOf = (height: number): string =>
  height.toString(16).padStart(16, '0') + 'ab'.repeat(4) + (height % 251).toString(16).padStart(40, '0');
const facts = (headHeight: number): ChainFacts => ({
  headHeight,
  headTime: 0,
  findBlockId: idOf,
  isKnown: () => false,
});
const naming = (height: number, hash = idOf(height).slice(16, 32)): ChainTransaction => {
  const bytes = Buffer.from((height & 0xffff).toString(16).padStart(4, '0'), 'hex');
  return new ChainTransaction({
    raw_data: { ...empty(RAW), ref_block_bytes: bytes, ref_block_hash: Buffer.from(hash, 'hex') },
    signature: [],
  });
};

describe('a reference block', () => {
  it('is any of the last 65,536, by two bytes of its height', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(65_535), (head, back) => {
        const height = Math.max(0, head - back);
        expect(() => checkTapos(naming(height), facts(head))).not.toThrow();
        expect(() => checkTapos(naming(height, 'cd'.repeat(8)), facts(head))).toThrow('Tapos check error.');
      }),
    );
  });

  it('is none that is not there yet, and none without its two bytes', () => {
    expect(() => checkTapos(naming(8), facts(7))).toThrow('Tapos check error.');
    const tx = new ChainTransaction({ raw_data: { ...empty(RAW), ref_block_bytes: Buffer.from([7]) }, signature: [] });
    expect(() => checkTapos(tx, facts(7))).toThrow('Tapos check error.');
  });
});

describe('a signature', () => {
  it('is of the same address by either library, with the higher s too', () => {
    const { key, hex } = named('signer');
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const hash = Buffer.from(bytes);
        const signature = sign(hash, key);
        const [rs, recovery] = [signature.subarray(0, 64), signature[64]! - 27];
        const s = BigInt(`0x${rs.toString('hex', 32)}`);
        const other = Buffer.concat([
          rs.subarray(0, 32),
          Buffer.from((ORDER - s).toString(16).padStart(64, '0'), 'hex'),
        ]);
        for (const recover of [recoverAddress, recoverWithTronweb]) {
          expect(recover(hash, rs, recovery)?.toString('hex')).toBe(hex);
          expect(recover(hash, other, recovery ^ 1)?.toString('hex')).toBe(hex);
        }
      }),
      { numRuns: 20 },
    );
  });
});
