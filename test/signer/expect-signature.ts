import { createHash } from 'node:crypto';
import { signerOf } from '../../src/chain/proof/witness-signature';
import { hexAddress } from './raw-data';
import type { Result } from './signer.fixture';

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** 130 digits, a low s, and the v by which the service finds the address. */
export function expectSignature({ txid, signature }: Result, bytes: Buffer, by: string): void {
  const digest = createHash('sha256').update(bytes).digest();
  expect(txid).toBe(digest.toString('hex'));
  expect(signature).toMatch(/^[0-9a-f]{128}1[bc]$/);
  expect(BigInt(`0x${signature!.slice(64, 128)}`)).toBeLessThanOrEqual(HALF_ORDER);
  expect(signerOf(digest, signature)).toBe(hexAddress(by).toString('hex'));
}
