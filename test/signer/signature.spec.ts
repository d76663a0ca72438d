import { createHash, randomBytes } from 'node:crypto';
import { loadNative, native } from '../../signer/src/curve/native';
import { completeSignature, publicKeyOf, signDigest } from '../../signer/src/curve/signature';

const SAMPLES = 200;
const COMPACT_BYTES = 64;

describe('a signature by a key in memory', () => {
  it('is the same whichever library makes it, canonical, and of its key', () => {
    for (let at = 0; at < SAMPLES; at++) {
      const key = randomBytes(32);
      const digest = createHash('sha256').update(`${at}`).digest();
      const signature = signDigest(digest, key);
      expect(signature).toEqual(signDigest(digest, key, null));
      const rs = signature.subarray(0, COMPACT_BYTES);
      expect(completeSignature(rs, 'compact', digest, publicKeyOf(key))).toEqual(signature);
    }
  });

  it('is made by the library in C where it has a binary, and in JavaScript elsewhere', () => {
    expect(native).not.toBeNull();
    const load = () => {
      throw new Error('no binary');
    };
    expect(loadNative(load)).toBeNull();
  });
});
