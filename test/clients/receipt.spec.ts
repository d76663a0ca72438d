import { createHash } from 'node:crypto';
import { keccak256 } from '../../clients/typescript/src/receipt/keccak256.mjs';
import { sha256 } from '../../clients/typescript/src/receipt/sha256.mjs';
import { ReceiptError, verifyReceipt } from '../../clients/typescript/src/receipt/verify-receipt.mjs';
import type { Witness } from '../../src/chain/proof/judge';
import { readReceipt } from '../../src/chain/verified-chain/receipts/receipt';
import { verifyReceipt as verifyAtService } from '../../src/chain/verified-chain/receipts/verify-receipt';
import type { ReceiptDocument } from '../../src/chain/verified-chain/receipts/receipt-document';
import { recordedPostQuantumSet } from '../support/recorded-blocks';
import { recordedReceipts, recordedSet } from '../support/recorded-receipts';

const set = recordedSet();
const fileOf = (witnesses: readonly Witness[]) => ({ witnesses: witnesses.map((one) => ({ ...one, isJobs: true })) });
const FILE = fileOf(set);
const [recorded] = recordedReceipts().toSorted((a, b) => b.text.length - a.text.length);
const { text } = recorded!;
const { data } = JSON.parse(text) as { data: ReceiptDocument };

/** The code of what is wrong; null when it is proved. */
function wrong(receipt: string, files: Parameters<typeof verifyReceipt>[1] = FILE): string | null {
  try {
    verifyReceipt(receipt, files);
    return null;
  } catch (error) {
    if (!(error instanceof ReceiptError)) throw error;
    return error.code;
  }
}

describe("the client's check of a receipt", () => {
  it('finds each recorded delegation of a real chain proved, as the service does', () => {
    const receipts = recordedReceipts();
    expect(receipts.length).toBeGreaterThan(2);
    for (const { text: receipt, number } of receipts.slice(0, 5)) {
      const { data: stated } = JSON.parse(receipt) as { data: ReceiptDocument };
      expect(verifyReceipt(receipt, FILE)).toEqual({
        txid: stated.txid,
        receiver_address: stated.receiver_address,
        stake: /"stake":([\d.]+)/.exec(receipt)![1],
        block_number: number,
        block_time: stated.block_time,
        witnesses: verifyAtService(readReceipt(receipt), [set]),
        unverified_signatures_of: [],
      });
    }
  });

  /** One bit of the character at this place, so that it is another one of hex, of base58 or a digit. */
  const flipped = (at: number) => {
    const other = { '0': '1', a: 'b', T: 'U' }[text[at]!] ?? (/[1-9]/.test(text[at]!) ? '0' : 'a');
    return text.slice(0, at) + other + text.slice(at + 1);
  };

  it.each<[string, string, string]>([
    ['the txid', data.txid, 'otherwise-proved'],
    ['the receiver', data.receiver_address, 'otherwise-proved'],
    ['the amount', /"stake":([\d.]+)/.exec(text)![1]!, 'otherwise-proved'],
    ['the time', data.block_time.slice(0, 10), 'otherwise-proved'],
    ["the block's id", data.block_id, 'otherwise-proved'],
    ['the transaction', data.transaction.slice(60, 90), 'otherwise-proved'],
    ['the branch', data.branch.at(-1)!.hash, 'not-in-block'],
    ["the block's header", data.header.bytes.slice(0, 20), 'not-signed'],
    ["the block's signature", data.header.signature!.slice(0, 64), 'not-signed'],
    ['a header above it', data.following[9]!.bytes.slice(0, 20), 'not-signed'],
    ['a signature above it', data.following[18]!.signature!.slice(0, 64), 'not-signed'],
    ['a witness', `"address":"${data.witnesses[3]!.address}`, 'other-witnesses'],
  ])('finds nothing proved with one changed character of %s', (_, value, code) => {
    expect(wrong(flipped(text.indexOf(value) + value.length - 2))).toBe(code);
  });

  it('agrees with the service about a change anywhere', () => {
    for (let at = 11; at < text.length; at += Math.ceil(text.length / 60)) {
      const changed = flipped(at);
      const serviceRefuses = () => verifyAtService(readReceipt(changed), [set]);
      expect([at, wrong(changed) === null]).toEqual([at, false]);
      expect(serviceRefuses).toThrow();
    }
  });

  it.each<[string, (receipt: { success?: unknown; data: Record<string, unknown> }) => void]>([
    ['a field more', (receipt) => (receipt.data['energy'] = 65_000)],
    ['a field less', (receipt) => delete receipt.data['branch']],
    ['no success', (receipt) => (receipt.success = false)],
    ['an inactive witness', (receipt) => ((receipt.data['witnesses'] as { isJobs: boolean }[])[0]!.isJobs = false)],
    ['an amount in a string', (receipt) => (receipt.data['stake'] = data.stake.rawJSON)],
    ['hex in capitals', (receipt) => (receipt.data['transaction'] = data.transaction.toUpperCase())],
    ['no data', (receipt) => (receipt.data = null as never)],
  ])('refuses %s', (_, change) => {
    const receipt = JSON.parse(text) as { success?: unknown; data: Record<string, unknown> };
    change(receipt);
    expect(wrong(JSON.stringify(receipt))).toBe('malformed');
  });

  it('refuses an amount that stands there twice, and one with digits that no double has', () => {
    expect(wrong(text.replace('"stake":', '"stake":1,"stake":'))).toBe('malformed');
    expect(wrong(text.replace(/("stake":[\d.]+)/, '$100000000000000000001'))).toBe('otherwise-proved');
    expect(wrong('not JSON')).toBe('malformed');
  });

  it('counts the witnesses that its reader trusts, and no others', () => {
    expect(wrong(text, fileOf(set.slice(0, 20)))).toBe('other-witnesses');
    const renewed = set.map((one, at) => (at < 2 ? { ...one, signing_address: set[at + 5]!.signing_address } : one));
    expect(wrong(text, fileOf(renewed))).toBe('other-witnesses');
    expect(wrong(text, [fileOf(renewed), FILE])).toBeNull();
    const fewer = JSON.parse(text) as { data: { following: unknown[] } };
    fewer.data.following = fewer.data.following.slice(0, 10);
    expect(wrong(JSON.stringify(fewer))).not.toBe(null);
    for (const file of [{}, { witnesses: [] }, null, { witnesses: [{ address: '41', isJobs: true }] }])
      expect(wrong(text, file as never)).toBe('malformed');
  });

  it('names the blocks whose post-quantum signatures it does not verify, and counts them for no witness', () => {
    const postQuantum = recordedPostQuantumSet();
    const [first] = recordedReceipts('post-quantum/blocks.jsonl', postQuantum);
    expect(wrong(first!.text, fileOf(postQuantum))).toBe('too-few-witnesses');
  });
});

describe('its own hashes', () => {
  it('are those of others, whatever the length', () => {
    for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1_000]) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 7 + length) % 256);
      expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
    expect(Buffer.from(keccak256(new Uint8Array(0))).toString('hex')).toBe(
      'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    );
  });
});
