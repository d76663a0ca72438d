import type { ChainProof } from '../../../../src/chain/verified-chain/chain-proof';
import { readHeader } from '../../../../src/chain/tron/node/block-answer';
import type { BlockHeader } from '../../../../src/chain/proof/block-header';
import type { BlockReads } from '../../../../src/chain/tron/node/block-reads';
import { HeaderChain } from '../../../../src/chain/proof/header-chain';
import { SignatureJudge } from '../../../../src/chain/proof/judge';
import { BuiltOn } from '../../../../src/chain/observer/unproved/built-on';
import { type RecordedBlock, recordedSetChange } from '../../../support/recorded-blocks';

const { blocks, orphans, before } = recordedSetChange();
const headerOf = (json: RecordedBlock) => readHeader(json as unknown as Record<string, unknown>);
const chain = blocks.map(headerOf);
const lost = orphans.map(headerOf);
const judge = new SignatureJudge(before);

/** By nodes that show these headers. */
function builtOn(...nodes: (readonly BlockHeader[])[]): { readonly built: BuiltOn; readonly asked: () => number } {
  let asked = 0;
  const reads = {
    urls: nodes.map((_, at) => String(at)),
    headerAt: (url: string, number: number) => {
      asked++;
      return Promise.resolve(nodes[Number(url)]!.find((header) => header.number === number) ?? null);
    },
  };
  return { built: new BuiltOn(reads as unknown as BlockReads, { judge } as unknown as ChainProof), asked: () => asked };
}
const at = (number: number) => chain.find((header) => header.number === number)!;

describe('a block of a real chain is final', () => {
  it('by 19 of 27 witnesses who have built on it, and by no fewer', async () => {
    const upTo = (number: number) => chain.filter((header) => header.number <= number);
    const makers = (number: number) =>
      new Set(
        upTo(number)
          .filter((one) => one.number > 790)
          .map(({ witness }) => witness),
      );
    const enough = chain.find(({ number }) => number > 790 && makers(number).size === 19)!.number;
    expect(await builtOn(upTo(enough)).built.isFinal(at(790), null)).toBe(true);
    expect(await builtOn(upTo(enough - 1)).built.isFinal(at(790), null)).toBe(false);
  });

  it('and none of a branch that lost, although active witnesses have signed it, and built on it', async () => {
    for (const header of lost) {
      expect(judge.believes(header)).toBe(true);
      expect(await builtOn(chain, [...lost, ...chain]).built.isFinal(header, null)).toBe(false);
    }
  });

  it('nor by headers that no known witness has signed', async () => {
    const forged = chain.map((header) => ({ ...header, signer: '41' + 'ab'.repeat(20) }));
    expect(await builtOn(forged).built.isFinal(at(790), null)).toBe(false);
  });

  it('by another node, where the first shows other headers', async () => {
    expect(await builtOn(lost, chain).built.isFinal(at(833), null)).toBe(true);
  });

  it('where it leads to a final block of the chain that is followed, and what was read for one is not read for the next', async () => {
    const followed = new HeaderChain(at(860), judge);
    followed.extend(chain.filter(({ number }) => number > 860));
    const { built, asked } = builtOn(chain);
    expect(await built.isFinal(at(followed.final!.number), followed)).toBe(true);
    expect([asked(), await built.isFinal(at(899), followed)]).toEqual([0, false]);
    await built.isFinal(at(790), followed);
    const once = asked();
    await built.isFinal(at(791), followed);
    expect(asked() - once).toBeLessThan(3);
  });
});
