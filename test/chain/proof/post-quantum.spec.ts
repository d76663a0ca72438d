import { readBlock, readTip } from '../../../src/chain/tron/node/block-answer';
import { HeaderChain } from '../../../src/chain/proof/header-chain';
import { headersBuiltOn } from '../../../src/chain/proof/headers-built-on';
import { SignatureJudge } from '../../../src/chain/proof/judge';
import { postQuantumBytes, postQuantumSigner, readPostQuantum } from '../../../src/chain/proof/post-quantum';
import {
  type RecordedBlock,
  type RecordedPostQuantum,
  recordedBlocks,
  recordedPostQuantumSet,
} from '../../support/recorded-blocks';

type Json = Record<string, unknown>;
interface PostQuantumBlock {
  block_header: RecordedBlock['block_header'] & { pq_auth_sig: RecordedPostQuantum };
  transactions?: (Json & { pq_auth_sig?: RecordedPostQuantum[] })[];
}

const blocks = recordedBlocks('post-quantum/blocks.jsonl') as unknown as PostQuantumBlock[];
const judge = new SignatureJudge(recordedPostQuantumSet());
const read = (block: PostQuantumBlock) => readBlock(structuredClone(block) as unknown as Json);
const believed = (block: PostQuantumBlock) => judge.believes(read(block).header);
const signedBy = blocks.filter(({ block_header: header }) => header.pq_auth_sig);
const withTransactions = blocks.filter(({ transactions }) => transactions?.some((one) => one.pq_auth_sig));

function changed<T extends PostQuantumBlock>(block: T, change: (copy: T) => void): T {
  const copy = structuredClone(block);
  change(copy);
  return copy;
}
function flipped(hex: string, byte: number): string {
  const bytes = Buffer.from(hex, 'hex');
  bytes[byte]! ^= 1;
  return bytes.toString('hex');
}

describe('blocks of a real chain with post-quantum signatures', () => {
  it('all verify: headers signed by FN-DSA-512, and transactions signed by it, by ML-DSA-44, and by two kinds of key', () => {
    expect([blocks.length, signedBy.length, withTransactions.length]).toEqual([35, 5, 6]);
    for (const block of blocks) {
      expect([block.block_header.raw_data.number, believed(block)]).toEqual([block.block_header.raw_data.number, true]);
      const { body } = read(block);
      expect([...body!.owners.keys()]).toEqual((block.transactions ?? []).map(({ txID }) => txID));
    }
    const schemes = withTransactions.flatMap(({ transactions }) =>
      transactions!.map((one) => one.pq_auth_sig![0]!.scheme),
    );
    expect(new Set(schemes)).toEqual(new Set(['FN_DSA_512', 'ML_DSA_44']));
  });

  it('have transactions whose FN-DSA-512 signatures are of their txids, by keys of the accounts that they name', () => {
    const signed = withTransactions.flatMap(({ transactions }) => transactions!);
    const signers = signed.map(({ txID, pq_auth_sig: list }) => {
      const signature = readPostQuantum(postQuantumBytes(list![0])!)!;
      return [signature.scheme, postQuantumSigner(Buffer.from(String(txID), 'hex'), signature) !== null];
    });
    expect(signers.filter(([scheme, isSigned]) => scheme === 'FN_DSA_512' && isSigned)).toHaveLength(5);
    expect(signers.filter(([scheme]) => scheme === 'ML_DSA_44')).toEqual([['ML_DSA_44', false]]);
  });

  it('make one chain, in which the signatures of both kinds make blocks final and prove receipts', () => {
    const headers = blocks.map((block) => read(block).header);
    const chain = new HeaderChain(headers[0]!, judge);
    chain.extend(headers.slice(1));
    // 35 blocks of 27: those below it have 19 on top, whose own two are below that.
    expect(chain.final?.number).toBeGreaterThan(34);
    const above = headersBuiltOn(headers[0]!, (number) => chain.at(number), judge)!;
    expect(above.filter(({ signed }) => readPostQuantum(signed!.signature)).length).toBeGreaterThan(0);
  });

  it.each(['public_key', 'signature'] as const)('are not believed with any one byte of the %s changed', (part) => {
    const [block] = signedBy as [PostQuantumBlock];
    const length = block.block_header.pq_auth_sig[part].length / 2;
    const passed = Array.from({ length }, (_, byte) => byte).filter((byte) =>
      believed(changed(block, ({ block_header: { pq_auth_sig: one } }) => (one[part] = flipped(one[part], byte)))),
    );
    expect([length > 600, passed]).toEqual([true, []]);
  });

  it.each<[string, (block: PostQuantumBlock) => void]>([
    [
      'the other kind of signature beside it',
      ({ block_header: header }) => (header.witness_signature = blocks[0]!.block_header.witness_signature),
    ],
    [
      'a key of another witness',
      ({ block_header: header }) => (header.pq_auth_sig = signedBy[1]!.block_header.pq_auth_sig),
    ],
    ['the scheme of another', ({ block_header: { pq_auth_sig: one } }) => (one.scheme = 'ML_DSA_44')],
    ['an unknown scheme', ({ block_header: { pq_auth_sig: one } }) => (one.scheme = 'XMSS')],
    ['a byte behind the signature', ({ block_header: { pq_auth_sig: one } }) => (one.signature += '00')],
    [
      "a key with Falcon's own first byte",
      ({ block_header: { pq_auth_sig: one } }) => (one.public_key = `09${one.public_key}`),
    ],
    ['an unknown field', ({ block_header: { pq_auth_sig: one } }) => Object.assign(one, { more: '00' })],
    ['a list in its place', ({ block_header: header }) => Object.assign(header, { pq_auth_sig: [header.pq_auth_sig] })],
    ['no signature', ({ block_header: header }) => Object.assign(header, { pq_auth_sig: undefined })],
  ])('are not believed with %s', (_, change) => {
    expect(believed(changed(signedBy[0]!, change))).toBe(false);
  });

  it('whose header is signed by ML-DSA-44 are read, and said to be unverified', () => {
    const block = changed(signedBy[0]!, ({ block_header: { pq_auth_sig: one } }) => (one.scheme = 'ML_DSA_44'));
    const tip = readTip(block as unknown as Json);
    expect(tip).toMatchObject({ signer: null, unverified: 'ML_DSA_44' });
    expect(tip).toMatchObject({ signed: { signature: postQuantumBytes(block.block_header.pq_auth_sig) } });
    // One that is none, by a scheme that is verified, is not said to be unverified.
    const forged = changed(
      signedBy[0]!,
      ({ block_header: { pq_auth_sig: one } }) => (one.signature = flipped(one.signature, 99)),
    );
    expect(readTip(forged as unknown as Json)).toMatchObject({ signer: null, signed: null });
    expect(readTip(forged as unknown as Json)).not.toHaveProperty('unverified');
  });

  it.each<[string, (one: RecordedPostQuantum) => void]>([
    ['key', (one) => (one.public_key = flipped(one.public_key, 7))],
    ['signature', (one) => (one.signature = flipped(one.signature, 7))],
    ['scheme', (one) => (one.scheme = one.scheme === 'ML_DSA_44' ? 'FN_DSA_512' : 'ML_DSA_44')],
  ])('show another transaction when the %s of one is another', (_, change) => {
    for (const block of withTransactions)
      expect(read(changed(block, ({ transactions }) => change(transactions![0]!.pq_auth_sig![0]!))).body).toBeNull();
  });
});

describe('blocks of a real chain in which a peer put a field that nodes do not show', () => {
  it('have a signed header, and transactions that cannot be proved; the others of the chain are as any', () => {
    const proved = recordedBlocks('unknown-field.jsonl').map((block) => {
      const { header, body } = readBlock(block as unknown as Json);
      return [header.number, header.signer !== null, body !== null];
    });
    expect(proved).toEqual([
      [2550, true, true],
      [2551, true, false],
      [2552, true, false],
      [2553, true, true],
    ]);
  });
});
