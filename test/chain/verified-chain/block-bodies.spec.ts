import { BlockBodies } from '../../../src/chain/verified-chain/block-bodies';
import type { BlockClock } from '../../../src/chain/verified-chain/block-clock';
import type { ChainFaultRepository } from '../../../src/chain/verified-chain/faults/chain-fault.repository';
import { type BlockBody, readBlock } from '../../../src/chain/tron/node/block-answer';
import type { BlockHeader } from '../../../src/chain/proof/block-header';
import type { BlockReads } from '../../../src/chain/tron/node/block-reads';
import { recordedBlocks } from '../../support/recorded-blocks';

const shown = recordedBlocks().map((block) => readBlock(block as unknown as Record<string, unknown>));
const [full, other] = shown.filter(({ body }) => body!.owners.size > 0) as [(typeof shown)[0], (typeof shown)[0]];
const unencoded: BlockBody = { owners: new Map([['ab'.repeat(32), '']]), transactions: null };

/** A header says of itself whatever a reader of answers has let it say. */
describe('a body counts under the header that the chain holds, and', () => {
  const held = full.header;
  const bodies = () => new BlockBodies({} as BlockReads, {} as ChainFaultRepository, {} as BlockClock);
  function keep(header: BlockHeader, body: BlockBody | null, under = held): BlockBody | undefined {
    const kept = bodies();
    kept.add({ header, body, listing: null }, under);
    return kept.of(under);
  }

  it('is that of its root', () => {
    expect(keep(held, full.body)).toBe(full.body);
  });

  it.each<[string, BlockHeader, BlockBody | null]>([
    ['of another root', held, other.body],
    ['of another root, which its own header has', { ...held, root: other.header.root }, other.body],
    ['of another height under its id', { ...held, number: held.number + 1 }, full.body],
    ['of genesis under its id', { ...held, number: 0 }, full.body],
    ['of another block', other.header, other.body],
    ['that proves nothing', held, unencoded],
    ['that is none', held, null],
  ])('not one %s', (_, header, body) => {
    expect(keep(header, body)).toBeUndefined();
  });

  it('with CHAIN_PROOF=nodes, a list that cannot be encoded stands for itself', () => {
    const believed = { ...held, signer: null, signed: null };
    expect(keep(believed, unencoded, believed)).toBe(unencoded);
    expect(keep(believed, other.body, believed)).toBeUndefined();
  });
});
