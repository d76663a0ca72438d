import { createHash } from 'node:crypto';
import { utils } from 'tronweb';
import { signerOf } from '../../../src/chain/proof/witness-signature';
import { signDigest } from '../../../src/chain/transactions/signing/sign-digest';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The other form: a reader of one can make it without the key, and nodes take both. */
function otherForm(signature: string): string {
  const s = ORDER - BigInt(`0x${signature.slice(64, 128)}`);
  const v = signature.slice(128) === '1B' ? '1C' : '1B';
  return signature.slice(0, 64) + s.toString(16).padStart(64, '0') + v;
}

describe("a witness's signature", () => {
  const accounts = Array.from({ length: 20 }, (_, at) => {
    const digest = createHash('sha256').update(`block ${at}`).digest();
    const { privateKey, address } = utils.accounts.generateAccount();
    const signature = signDigest(digest.toString('hex'), privateKey);
    return { digest, signature, signer: address.hex.toLowerCase() };
  });

  it.each([
    ['with the native package', undefined],
    ['without it', null],
  ])('names its signer %s, in both forms that it has', (_, native) => {
    for (const { digest, signature, signer } of accounts) {
      expect(signerOf(digest, signature, native)).toBe(signer);
      expect(signerOf(digest, otherForm(signature), native)).toBe(signer);
      expect(signerOf(digest, `${signature.slice(0, 64)}${'f'.repeat(64)}1B`, native)).toBeNull();
    }
  });

  it.each([
    ['with the native package', undefined],
    ['without it', null],
  ])('has no signer %s when its v names a point that signatures of nodes never have', (_, native) => {
    const digest = createHash('sha256').update('block').digest();
    // Such a small r has, for some values, a point beyond the curve's order: anybody can make these.
    const made = (r: number, v: string) => `${r.toString(16).padStart(64, '0')}${'1'.padStart(64, '0')}${v}`;
    const rs = Array.from({ length: 20 }, (_one, at) => at + 1);
    expect(rs.some((r) => signerOf(digest, made(r, '1b'), native) !== null)).toBe(true);
    for (const v of ['02', '03', '1d', '1e', '1f', 'ff']) {
      expect(rs.map((r) => signerOf(digest, made(r, v), native))).toEqual(rs.map(() => null));
    }
  });
});
