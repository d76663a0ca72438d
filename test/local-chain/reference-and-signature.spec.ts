import fc from 'fast-check';
import { utils } from 'tronweb';
import { checkTapos, type ChainFacts } from '../../local-chain/src/chain/transaction.execution';
import { ChainTransaction } from '../../local-chain/src/chain/transaction.model';
import { RAW } from '../../local-chain/src/protobuf/transaction.schema';
import { empty } from '../../local-chain/src/protobuf/wire.codec';
import { recoverPublicKey } from '../../local-chain/src/signing/curve.arithmetic';
import { recoverAddress, recoverWithTronweb, sign } from '../../local-chain/src/signing/secp256k1';
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

  const number = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
  const hash = Buffer.alloc(32, 7);

  it('gives the same key on plain integers as by the library', () => {
    const { key, hex } = named('signer');
    const signature = sign(hash, key);
    const coordinates = recoverPublicKey(hash, signature.subarray(0, 64), signature[64]! - 27)!;
    expect(`41${utils.ethersUtils.keccak256(coordinates).slice(26)}`).toBe(hex);
  });

  it('of numbers that no library takes has the address, or the error, that the node computes', () => {
    const r = sign(hash, named('signer').key).subarray(0, 32);
    const recover = (parts: Buffer[], recovery = 0): string | undefined =>
      recoverAddress(hash, Buffer.concat(parts), recovery)?.toString('hex');
    // s = 0 is computed with, and s beyond the order is what is left of it.
    expect(recover([r, number(0n)])).toMatch(/^41[0-9a-f]{40}$/);
    expect(recover([r, number(ORDER)])).toBe(recover([r, number(0n)]));
    expect(recover([r, number(ORDER + 5n)])).toBe(recover([r, number(5n)]));
    expect(() => recover([number(0n), number(0n)])).toThrow(
      'java.lang.IllegalArgumentException: Invalid point compression',
    );
    expect(recover([number((1n << 256n) - 1n), number(1n)])).toBeUndefined();
    expect(recover([r, number(1n)], 2)).toBeUndefined();
  });
});
