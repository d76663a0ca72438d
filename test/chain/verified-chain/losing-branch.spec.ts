import type { ChainProof } from '../../../src/chain/verified-chain/chain-proof';
import type { Configuration } from '../../../config/configuration';
import { RecordedBlocks } from '../../../src/chain/observer/recorded-blocks';
import { readBlock, type ShownBlock } from '../../../src/chain/tron/node/block-answer';
import { AcceptedBlockRepository } from '../../../src/chain/observer/unproved/accepted-block.repository';
import { BlockReads } from '../../../src/chain/tron/node/block-reads';
import type { ConfiguredNodes } from '../../../src/chain/tron/node/configured-nodes';
import type { NodeClient } from '../../../src/chain/tron/node/node-client';
import { SignatureJudge, type Witness } from '../../../src/chain/proof/judge';
import { recordedBlocks, recordedSetChange, recordedWitnesses } from '../../support/recorded-blocks';
import { readsOf } from '../../support/scripted-reads';

type Json = Record<string, unknown>;

const recorded = recordedSetChange();
const shownBy = (blocks: readonly object[]) => blocks.map((block) => readBlock(structuredClone(block) as never));
const chain = shownBy(recorded.blocks);
const orphans = shownBy(recorded.orphans);
const at = (blocks: readonly ShownBlock[], number: number) => blocks.find(({ header }) => header.number === number)!;
const txIdIn = (block: ShownBlock) => [...block.body!.owners.keys()][0]!;
/** No chain has this id: the test asks whether its absence is believed. */
const ABSENT = 'ab'.repeat(32);

const NONE_ACCEPTED = { find: () => Promise.resolve(null) } as unknown as AcceptedBlockRepository;

function reader(known: readonly Witness[], ...nodes: (readonly ShownBlock[])[]) {
  const { reads, doubted } = readsOf(...nodes);
  const judge = new SignatureJudge(known);
  const proof = { judge, prepare: () => Promise.resolve() } as unknown as ChainProof;
  return { blocks: new RecordedBlocks(reads, proof, NONE_ACCEPTED), doubted };
}
const onBranch = chain.map((block) => at(orphans, block.header.number) ?? block);

describe('a block of a losing branch, signed by an active witness', () => {
  const { before } = recorded;

  it.each([834, 835, 836, 895])('disproves no recorded block %i', async (number) => {
    const { blocks, doubted } = reader(before, onBranch);
    await expect(blocks.have(ABSENT, at(chain, number).header)).rejects.toMatchObject({ code: 'NODE_UNAVAILABLE' });
    expect(doubted).toHaveLength(1);
  });

  it('proves no transaction of its own to be in the chain', async () => {
    const { blocks } = reader(before, onBranch);
    const txId = txIdIn(at(orphans, 895));
    await expect(blocks.have(txId, at(chain, 895).header)).rejects.toMatchObject({ code: 'NODE_UNAVAILABLE' });
  });

  it('is passed over for the chain’s own block, which another node shows', async () => {
    expect(await reader(before, onBranch, chain).blocks.have(ABSENT, at(chain, 834).header)).toBe(false);
  });

  it('is disproved itself, where it was recorded, by the block that enough witnesses have built on', async () => {
    expect(await reader(before, chain).blocks.have(ABSENT, at(orphans, 834).header)).toBe(false);
  });
});

describe('a block of another height than the recorded one', () => {
  it('disproves nothing, however many have built on it', async () => {
    const all = recordedBlocks();
    const lie = (number: number) => all.find((block) => block.block_header.raw_data.number === number - 1);
    const client = { ask: (...[, , { num }, understand]: Parameters<NodeClient['ask']>) => ask(num, understand) };
    const ask = async (num: unknown, understand: (answer: Json, url: string) => unknown) =>
      understand(structuredClone(lie(Number(num))) as unknown as Json, 'node:0');
    const reads = new BlockReads(
      client as unknown as NodeClient,
      { genesisId: null, urls: () => ['node:0'] } as unknown as ConfiguredNodes,
      { nodes: { proof: 'signatures' } } as Configuration,
    );
    const proof = { judge: new SignatureJudge() } as unknown as ChainProof;
    const blocks = new RecordedBlocks(reads, proof, NONE_ACCEPTED);
    const { number, id } = shownBy(all)[5]!.header;
    await expect(blocks.have(ABSENT, { number, id })).rejects.toMatchObject({
      reason: `block ${number - 1} was shown as block ${number}`,
    });
  });
});

describe('a block that was recorded without its id', () => {
  const known = recordedWitnesses().map((address) => ({ address, signing_address: address }));
  const full = shownBy(recordedBlocks());
  const one = full.find(({ body }) => body!.owners.size > 0)!;
  const { number } = one.header;

  it('counts where enough witnesses have built on it', async () => {
    expect(await reader(known, full).blocks.have(txIdIn(one), { number, id: null })).toBe(true);
    expect(await reader(known, full).blocks.have(ABSENT, { number, id: null })).toBe(false);
  });

  it.each([1, 19])('counts not yet with %i blocks on top', async (above) => {
    const low = full.filter(({ header }) => header.number <= number + above);
    const have = reader(known, low).blocks.have(txIdIn(one), { number, id: null });
    await expect(have).rejects.toMatchObject({ code: 'NODE_UNAVAILABLE' });
  });
});
