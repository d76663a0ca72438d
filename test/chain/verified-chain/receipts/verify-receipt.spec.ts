import { TronWeb, utils } from 'tronweb';
import { sha256 } from '../../../../src/chain/proof/merkle-tree';
import { normalized } from '../../../../src/chain/proof/witness-signature';
import { readReceipt, readWitnessFile } from '../../../../src/chain/verified-chain/receipts/receipt';
import type { ReceiptDocument } from '../../../../src/chain/verified-chain/receipts/receipt-document';
import { unverifiedBlocks, verifyReceipt } from '../../../../src/chain/verified-chain/receipts/verify-receipt';
import { signDigest } from '../../../../src/chain/transactions/signing/sign-digest';
import { DomainError } from '../../../../src/common/errors/domain.error';
import { recordedPostQuantumSet } from '../../../support/recorded-blocks';
import { recordedReceipts, recordedSet } from '../../../support/recorded-receipts';

type Changed = { -readonly [Key in keyof ReceiptDocument]: ReceiptDocument[Key] };

const witnesses = recordedSet();
const receipts = recordedReceipts();
/** Receipt of the fullest block: its branch is the longest. */
const [receipt] = receipts.toSorted((a, b) => b.text.length - a.text.length);

/** The code of what is wrong, or how many witnesses have built on the block. */
function verify(text: string, ...sets: (typeof witnesses)[]): string | number {
  try {
    return verifyReceipt(readReceipt(text), sets.length > 0 ? sets : [witnesses]);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.code;
  }
}

function changed(change: (data: Changed, answer: Record<string, unknown>) => void): string {
  const answer = JSON.parse(receipt!.text) as { data: Changed };
  change(answer.data, answer);
  return JSON.stringify(answer);
}

/** Another character of the same kind, so that what it means changes and not only how it is written. */
function otherCharacter(character: string): string {
  if (/[0-9a-f]/.test(character)) return (parseInt(character, 16) ^ 1).toString(16);
  return String.fromCharCode(character.charCodeAt(0) ^ 1);
}

describe('a receipt of a delegation on a real chain', () => {
  it('verifies by the signatures of exactly 19 other blocks, each of the recorded delegations', () => {
    expect(receipts.length).toBeGreaterThan(50);
    expect(receipts.filter(({ text }) => verify(text) !== 19)).toEqual([]);
    expect((JSON.parse(receipt!.text) as { data: ReceiptDocument }).data.branch.length).toBeGreaterThan(4);
  });

  it('proves nothing once any one byte of it is another', () => {
    const { text } = receipt!;
    const passed = [...text].flatMap((character, at) => {
      const result = verify(`${text.slice(0, at)}${otherCharacter(character)}${text.slice(at + 1)}`);
      return typeof result === 'number' ? [text.slice(Math.max(0, at - 40), at + 5)] : [];
    });
    expect(passed).toEqual([]);
  });

  it('proves nothing with any one bit of a signature changed', () => {
    const signature = (JSON.parse(receipt!.text) as { data: ReceiptDocument }).data.header.signature!;
    for (let bit = 0; bit < signature.length * 4; bit++) {
      const bytes = Buffer.from(signature, 'hex');
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      const result = verify(changed((data) => (data.header = { ...data.header, signature: bytes.toString('hex') })));
      expect([bit, typeof result]).toEqual([bit, 'string']);
    }
    // The same signature as older nodes write it: two ways to write it would leave a byte that may be changed.
    const older = signature.slice(0, -2) + (27 + parseInt(signature.slice(-2), 16)).toString(16);
    expect(verify(changed((data) => (data.header = { ...data.header, signature: older })))).toBe('receipt.malformed');
  });

  it.each<[string, string, (data: Changed, answer: Record<string, unknown>) => void]>([
    [
      'one block fewer built on it',
      'receipt.too-few-witnesses',
      (data) => (data.following = data.following.slice(0, -1)),
    ],
    ['a block between left out', 'receipt.not-linked', (data) => (data.following = data.following.toSpliced(5, 1))],
    ['none built on it', 'receipt.too-few-witnesses', (data) => (data.following = [])],
    ['the headers of another block', 'receipt.not-in-block', (data) => (data.header = data.following[0]!)],
    [
      'another receiver',
      'receipt.otherwise-proved',
      (data) => (data.receiver_address = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'),
    ],
    ['another stake', 'receipt.otherwise-proved', (data) => (data.stake = 1 as never)],
    ['another time', 'receipt.otherwise-proved', (data) => (data.block_time = '2026-01-01T00:00:00.000Z')],
    ['a step of the branch left out', 'receipt.not-in-block', (data) => (data.branch = data.branch.slice(1))],
    ['a field that nothing proves', 'receipt.field-unknown', (data) => Object.assign(data, { energy: 65_000 })],
    ['a field beside its data', 'receipt.field-unknown', (_, answer) => (answer['paid'] = true)],
    ['a field left out', 'receipt.malformed', (data) => delete (data as Partial<Changed>).stake],
    ['hex in capitals', 'receipt.malformed', (data) => (data.txid = data.txid.toUpperCase())],
    ['no transaction', 'receipt.no-delegation', (data) => (data.transaction = '00')],
    ['no header', 'receipt.no-header', (data) => (data.header = { ...data.header, bytes: '00' })],
    ['a failure in the place of success', 'receipt.malformed', (_, answer) => (answer['success'] = false)],
    ['nothing', 'receipt.malformed', (_, answer) => (answer['data'] = null)],
  ])('proves nothing with %s', (_name, code, change) => {
    expect(verify(changed(change))).toBe(code);
  });

  it.each<[string, (bytes: Buffer, parent: Buffer) => void]>([
    [
      'follows another block',
      (bytes, parent) => void bytes.writeUInt8(bytes.readUInt8(bytes.indexOf(parent)) ^ 1, bytes.indexOf(parent)),
    ],
    // Field 1 is the first: six bytes of a time, of which the third counts by 16 s.
    ['is as early as its parent', (bytes) => void bytes.writeUInt8(bytes.readUInt8(3) - 1, 3)],
  ])('proves nothing with a header that a witness has signed and that %s', (_name, edit) => {
    const { data } = JSON.parse(receipt!.text) as { data: ReceiptDocument };
    const [next] = data.following;
    const bytes = Buffer.from(next!.bytes, 'hex');
    edit(bytes, Buffer.from(data.block_id, 'hex'));
    const account = utils.accounts.generateAccount();
    const signature = normalized(signDigest(sha256(bytes).toString('hex'), account.privateKey.replace(/^0x/, '')));
    const forged = { bytes: bytes.toString('hex'), signature: signature.toString('hex') };
    const text = changed((one) => (one.following = [forged]));
    const maker = witnesses.find(({ address }) => next!.bytes.includes(address))!;
    const signing = { ...maker, signing_address: TronWeb.address.toHex(account.address.base58).toLowerCase() };
    // By a key that counts, so that nothing but the link is wrong.
    expect(verify(text, witnesses, [signing])).toBe('receipt.not-linked');
  });

  it('is proved by the given witnesses alone', () => {
    const { witness } = { witness: witnesses.find(({ address }) => headerOf(receipt!.text).includes(address))! };
    const others = witnesses.filter((one) => one !== witness);
    // Its own list proves nothing: a forger of a receipt can write any.
    expect(
      verify(
        changed((data) => (data.witnesses = [])),
        others,
      ),
    ).toBe('receipt.not-signed');
    expect(verify(receipt!.text, others)).toBe('receipt.other-witnesses');
    const [stranger] = witnesses.filter((one) => one !== witness);
    const otherKey = witnesses.map((one) => (one === witness ? { ...one, signing_address: stranger!.address } : one));
    expect(
      verify(
        changed((data) => (data.witnesses = [])),
        otherKey,
      ),
    ).toBe('receipt.not-signed');
    // Where they changed meanwhile, it takes both sets, and one of them has to be enough.
    expect(verify(receipt!.text, others, witnesses)).toBe(19);
    expect(verify(receipt!.text, others.slice(0, 14), [witness, ...others.slice(14)])).toBeGreaterThan(0);
  });

  it('is not a receipt with a transaction of half a byte, or of many megabytes', () => {
    expect(verify(changed((data) => (data.transaction += 'a')))).toBe('receipt.malformed');
    expect(verify(changed((data) => (data.transaction = '0a'.repeat(6_000_000))))).toMatch(/^receipt\./);
  });

  it('is read with a file of witnesses in which only the active ones count', () => {
    const file = (list: object[]) => JSON.stringify({ witnesses: list });
    const active = witnesses.map((one) => ({ ...one, isJobs: true }));
    const stand_by = { address: `41${'ab'.repeat(20)}`, signing_address: `41${'ab'.repeat(20)}` };
    expect(readWitnessFile(file([...active, stand_by, { ...stand_by, isJobs: false }]))).toEqual(witnesses);
    for (const wrong of [[], [stand_by], [...active, active[0]!], [{ ...active[0], address: 'T' }], [{ isJobs: true }]])
      expect(() => readWitnessFile(file(wrong))).toThrow(DomainError);
    for (const text of ['', 'null', '[]', '{}', '{"witnesses":{}}'])
      expect(() => readWitnessFile(text)).toThrow(DomainError);
  });
});

/** A delegation that an FN-DSA-512 key signed, with headers of witnesses with such keys above it. */
describe('a receipt with post-quantum signatures', () => {
  const set = recordedPostQuantumSet();
  const [postQuantum] = recordedReceipts('post-quantum/blocks.jsonl', set);
  const answer = () => JSON.parse(postQuantum!.text) as { data: Changed };
  const headers = answer().data.following.filter((one) => one.pq_auth_sig);
  const withOther = (change: (one: Record<string, string>) => void) => {
    const { data } = answer();
    const signed = data.following.find((one) => one.pq_auth_sig)!;
    change(signed.pq_auth_sig as unknown as Record<string, string>);
    return JSON.stringify({ success: true, data });
  };

  it('carries them, and is proved by those of FN-DSA-512 with the others', () => {
    expect(headers.length).toBeGreaterThan(3);
    expect(headers[0]!.pq_auth_sig!.scheme).toBe('FN_DSA_512');
    expect(verify(postQuantum!.text, set)).toBe(19);
    expect(unverifiedBlocks(readReceipt(postQuantum!.text))).toEqual([]);
  });

  it.each(['public_key', 'signature'])('proves nothing once a byte of a %s is another', (part) => {
    const text = headers[0]!.pq_auth_sig![part as 'signature'];
    for (let at = 0; at < text.length; at += 5)
      expect(
        verify(
          withOther((one) => (one[part] = text.slice(0, at) + otherCharacter(text[at]!) + text.slice(at + 1))),
          set,
        ),
      ).toMatch(/^receipt/);
  });

  it.each<[string, (one: Record<string, string>) => void]>([
    ['hex in capitals', (one) => (one['signature'] = one['signature']!.toUpperCase())],
    ['half a byte', (one) => (one['public_key'] += '0')],
    ['an unknown scheme', (one) => (one['scheme'] = 'XMSS')],
    ['nothing in the place of a key', (one) => (one['public_key'] = '')],
  ])('is malformed with %s', (_, change) => expect(verify(withOther(change), set)).toBe('receipt.malformed'));

  it('with a header of ML-DSA-44 counts it for no witness, and says which it did not verify', () => {
    const text = withOther((one) => (one['scheme'] = 'ML_DSA_44'));
    expect(verify(text, set)).toBe('receipt.too-few-witnesses');
    const { data } = JSON.parse(text) as { data: ReceiptDocument };
    const at = data.following.findIndex((one) => one.pq_auth_sig);
    expect(unverifiedBlocks(readReceipt(text))).toEqual([data.block_number + 1 + at]);
  });
});

function headerOf(text: string): string {
  return (JSON.parse(text) as { data: ReceiptDocument }).data.header.bytes;
}
