import type { BlockHeader } from '../../../src/chain/proof/block-header';
import { brokenLink, HeaderChain } from '../../../src/chain/proof/header-chain';
import { NodeJudge } from '../../../src/chain/proof/judge';

const header = (number: number, id: string, parentId: string): BlockHeader => ({
  number,
  id,
  parentId,
  timeMs: number * 3_000,
  root: '00'.repeat(32),
  witness: null,
  signer: null,
  signed: null,
});

describe('a chain of headers', () => {
  it('keeps its branch while another is not longer, and takes the longer one', () => {
    const chain = new HeaderChain(header(1, 'a1', 'a0'), new NodeJudge());
    chain.extend([header(2, 'a2', 'a1'), header(3, 'a3', 'a2')]);
    const other = [header(2, 'b2', 'a1'), header(3, 'b3', 'b2'), header(4, 'b4', 'b3')];
    chain.extend(other.slice(0, 1));
    chain.extend(other.slice(0, 2));
    expect([chain.head.id, chain.replaced]).toEqual(['a3', 0]);
    chain.extend(other);
    expect([...chain.newestFirst()].map(({ id }) => id)).toEqual(['b4', 'b3', 'b2', 'a1']);
    expect(chain.replaced).toBe(2);
  });

  it('links a block to its parent by height, by id and by a later time', () => {
    const parent = header(1, 'a1', 'a0');
    const block = header(2, 'a2', 'a1');
    expect(brokenLink(parent, block)).toBeNull();
    expect(brokenLink(parent, { ...block, number: 3 })).toBe('block 3 is not block 2');
    expect(brokenLink(parent, { ...block, parentId: 'b1' })).toBe('block 2 does not follow block 1');
    for (const timeMs of [parent.timeMs, parent.timeMs - 1])
      expect(brokenLink(parent, { ...block, timeMs })).toBe('block 2 is not later than its parent');
  });
});
