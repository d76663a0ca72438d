import { readBlock } from '../../../src/chain/tron/node/block-answer';
import type { BlockHeader } from '../../../src/chain/proof/block-header';
import { HeaderChain } from '../../../src/chain/proof/header-chain';
import { SignatureJudge } from '../../../src/chain/proof/judge';
import { type RecordedBlock, recordedBlocks, recordedTips, recordedWitnesses } from '../../support/recorded-blocks';

const blocks = recordedBlocks();
const witnesses = recordedWitnesses().map((address) => ({ address, signing_address: address }));
const judge = new SignatureJudge(witnesses);

/** What a follower would conclude from: a believed header with exactly the transactions that it names. */
function isProved(block: RecordedBlock): boolean {
  try {
    const { header, body } = readBlock(structuredClone(block) as unknown as Record<string, unknown>);
    return judge.believes(header) && body !== null;
  } catch {
    return false;
  }
}

function flipped(hex: string, byte: number): string {
  const bytes = Buffer.from(hex, 'hex');
  bytes[byte]! ^= 1;
  return bytes.toString('hex');
}

describe('blocks of a real chain', () => {
  it('all verify, with the ids that their transactions have', () => {
    expect(blocks).toHaveLength(97);
    for (const block of blocks) {
      expect(isProved(block)).toBe(true);
      const { body } = readBlock(block as unknown as Record<string, unknown>);
      expect([...body!.owners.keys()]).toEqual((block.transactions ?? []).map(({ txID }) => txID));
    }
  });

  it.each(['blockID', 'txTrieRoot', 'parentHash', 'witness_address', 'witness_signature'])(
    'do not verify with one changed byte of %s',
    (field) => {
      for (const block of blocks) {
        const length = (field === 'blockID' ? block.blockID : headerField(block, field)).length / 2;
        for (let byte = 0; byte < length; byte++) {
          const changed = structuredClone(block);
          if (field === 'blockID') changed.blockID = flipped(block.blockID, byte);
          else if (field === 'witness_signature')
            changed.block_header.witness_signature = flipped(block.block_header.witness_signature, byte);
          else changed.block_header.raw_data[field] = flipped(headerField(block, field), byte);
          expect([byte, isProved(changed)]).toEqual([byte, false]);
        }
      }
    },
  );

  it.each(['timestamp', 'number', 'version'])('do not verify with another %s', (field) => {
    for (const block of blocks) {
      for (const value of [Number(block.block_header.raw_data[field]) + 1, undefined]) {
        const changed = structuredClone(block);
        changed.block_header.raw_data[field] = value;
        expect(isProved(changed)).toBe(false);
      }
    }
  });

  it('do not verify with one changed byte of a transaction, its signature or its result', () => {
    for (const block of blocks) {
      for (const [at, { raw_data_hex: raw, signature }] of (block.transactions ?? []).entries()) {
        const [inRaw, inSignature, inResult] = Array.from({ length: 3 }, () => structuredClone(block));
        inRaw!.transactions![at]!.raw_data_hex = flipped(raw, at % (raw.length / 2));
        inSignature!.transactions![at]!.signature[0] = flipped(signature[0]!, at % (signature[0]!.length / 2));
        inResult!.transactions![at]!['ret'] = [{ contractRet: 'OUT_OF_TIME' }];
        expect([inRaw, inSignature, inResult].map((changed) => isProved(changed!))).toEqual([false, false, false]);
      }
    }
  });

  it('do not verify with a transaction left out, added, or in another place', () => {
    const full = blocks.filter(({ transactions }) => (transactions?.length ?? 0) > 1);
    expect(full.length).toBeGreaterThan(20);
    for (const block of full) {
      const list = block.transactions!;
      const lies = [[], list.slice(1), list.slice(0, -1), [...list, list.at(-1)!], list.toReversed()];
      for (const transactions of lies) expect(isProved({ ...block, transactions })).toBe(false);
    }
  });

  it('are not believed when signed by a key of no active witness', () => {
    const [, ...others] = witnesses;
    const fewer = new SignatureJudge(others);
    const unsigned = blocks.filter((block) => !fewer.believes(readHeaderOf(block)));
    expect(new Set(unsigned.map((block) => block.block_header.raw_data['witness_address']))).toEqual(
      new Set([witnesses[0]!.address]),
    );
  });

  it('give a solid height that was never behind the node, and a final one that the node serves', () => {
    const headers = blocks.map(readHeaderOf);
    const chain = new HeaderChain(headers[0]!, judge);
    const finalAt = new Map(headers.slice(1).map((header) => [header.number, step(chain, header)]));
    let compared = 0;
    for (const [head, solid] of recordedTips()) {
      const final = finalAt.get(head)!;
      expect(final).not.toBeNull();
      // Two below the solid height: so that one is never behind the node's, and at most two ahead of it.
      expect(final + 2).toBeGreaterThanOrEqual(solid);
      expect(final).toBeLessThanOrEqual(solid);
      compared++;
    }
    expect(compared).toBe(74);
  });
});

function step(chain: HeaderChain, header: BlockHeader): number | null {
  chain.extend([header]);
  return chain.final?.number ?? null;
}

function readHeaderOf(block: RecordedBlock): BlockHeader {
  return readBlock(block as unknown as Record<string, unknown>).header;
}

function headerField(block: RecordedBlock, field: string): string {
  const { raw_data: raw, witness_signature: signature } = block.block_header;
  return field === 'witness_signature' ? signature : String(raw[field]);
}
