import type { ChainFaultRepository } from '../../../src/chain/verified-chain/faults/chain-fault.repository';
import { BlockBodies } from '../../../src/chain/verified-chain/block-bodies';
import type { ChainProof } from '../../../src/chain/verified-chain/chain-proof';
import { OldBlocks } from '../../../src/chain/observer/old-blocks';
import { readBlock, type ShownBlock } from '../../../src/chain/tron/node/block-answer';
import type { ChainTransactionRepository } from '../../../src/chain/transactions/outbox/chain-transaction.repository';
import { HeaderChain } from '../../../src/chain/proof/header-chain';
import { SignatureJudge } from '../../../src/chain/proof/judge';
import { Clock } from '../../../src/common/clock';
import { recordedBlocks, recordedSetChange, recordedWitnesses } from '../../support/recorded-blocks';
import { readsOf, type Script } from '../../support/scripted-reads';

const shownBy = (blocks: readonly object[]) => blocks.map((block) => readBlock(structuredClone(block) as never));
const full = recordedBlocks();
const { blocks: onChain, orphans } = recordedSetChange();
const numberOf = (block: object) => (block as (typeof full)[0]).block_header.raw_data.number;
const one = full.findIndex(({ transactions }) => (transactions?.length ?? 0) > 1);
const honest = shownBy(full.slice(one, one + 3));
const fewer = (count: number) =>
  shownBy([{ ...full[one]!, transactions: full[one]!.transactions!.slice(count) }, ...full.slice(one + 1, one + 3)]);
const fault = (node: number) =>
  `node:${node} the transactions of block ${honest[0]!.header.number} do not make its root`;

describe('a block’s transactions that do not make its root', () => {
  async function bodies(...nodes: Script[]) {
    const { reads, doubted } = readsOf(...nodes);
    const reported: string[] = [];
    const faults = { report: (kind: string) => Promise.resolve(void reported.push(kind)) };
    const read = new BlockBodies(reads, faults as unknown as ChainFaultRepository, new Clock());
    await read.read([honest[0]!.header]);
    return { doubted, reported };
  }

  it('are the fault of the node that shows them, once another one has proved the block', async () => {
    expect(await bodies(fewer(1), honest)).toEqual({ doubted: [fault(0)], reported: [] });
  });

  it('are the fault of a node that shows others each time', async () => {
    expect((await bodies([fewer(1), fewer(2)])).doubted).toEqual([fault(0), fault(0)]);
  });

  it('count against no node while all show the same: they cannot be encoded here', async () => {
    expect(await bodies(fewer(1), fewer(1))).toEqual({ doubted: [], reported: ['block_unreadable'] });
    expect(await bodies(fewer(1))).toEqual({ doubted: [], reported: ['block_unreadable'] });
  });
});

describe('blocks of a pause', () => {
  const judge = new SignatureJudge(recordedWitnesses().map((address) => ({ address, signing_address: address })));
  const ours = { findOpen: () => Promise.resolve([]) } as unknown as ChainTransactionRepository;
  async function read(from: number, ...nodes: (readonly ShownBlock[])[]): Promise<string[]> {
    const { reads, doubted } = readsOf(...nodes);
    const old = new OldBlocks(reads, { judge } as unknown as ChainProof, ours, new Clock());
    await old.read(from, new HeaderChain(nodes[0]!.at(-1)!.header, judge));
    return doubted;
  }

  it.each([
    ['lead to the verified chain', [], [null, [832, 833, 834, 835, 836]]],
    ['lead nowhere', orphans, [null, null]],
  ])('that %s', async (_, branch, [, given]) => {
    const shown = shownBy(onChain.map((block) => branch.find((other) => numberOf(other) === numberOf(block)) ?? block));
    // It knows no witness, so that only the link to the verified chain proves anything.
    const proof = { judge: new SignatureJudge() } as unknown as ChainProof;
    const old = new OldBlocks(readsOf(shown).reads, proof, ours, new Clock());
    const chain = new HeaderChain(shown.find(({ header }) => header.number === 837)!.header, proof.judge);
    expect(await old.read(832, chain)).toEqual([]);
    expect((await old.read(832, chain))?.map(({ number }) => number) ?? null).toEqual(given);
  });

  it('that do not follow each other are the fault of their node', async () => {
    const branch = orphans.find((block) => numberOf(block) === 834)!;
    const mixed = onChain.map((block) => (numberOf(block) === 834 ? branch : block));
    const shown = shownBy(mixed.filter((block) => numberOf(block) >= 832 && numberOf(block) < 840));
    expect(await read(832, shown)).toEqual(['node:0 block 835 does not follow block 834']);
  });

  it('whose transactions another node proves are the fault of the one that does not', async () => {
    const { number } = honest[0]!.header;
    expect(await read(number, fewer(1), honest)).toEqual([fault(0)]);
    expect(await read(number, fewer(1), fewer(1))).toEqual([]);
  });
});
