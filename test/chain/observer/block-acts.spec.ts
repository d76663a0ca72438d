import { ActSearch, BlockActs } from '../../../src/chain/observer/block-acts';
import type { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import type { ShownActs } from '../../../src/chain/tron/node/block-answer';
import type { BlockHeader } from '../../../src/chain/proof/block-header';
import type { BlockReads } from '../../../src/chain/tron/node/block-reads';
import type { ChainTransactionRepository } from '../../../src/chain/transactions/outbox/chain-transaction.repository';
import type { AccountAct } from '../../../src/chain/proof/account-act';
import { MovableClock } from '../../support/movable-clock';

const OWNER = `41${'aa'.repeat(20)}`;
const TOP = 200;
const FLOOR = 100;
const USED = 150;

function headerOf(number: number): BlockHeader {
  const made = { witness: null, signer: null, signed: null };
  return { number, id: `b${number}`, parentId: `b${number - 1}`, timeMs: number * 3_000, root: '', ...made };
}
/** One act in block USED. */
function blockOf(number: number): ShownActs {
  const act: AccountAct = { kind: 'transfer', owner: OWNER, receiver: null, sun: 5n, isPlainEnergy: false };
  const acts = new Map<string, AccountAct>(number === USED ? [['used', act]] : []);
  return { header: headerOf(number), body: { owners: new Map(), transactions: null }, listing: null, acts };
}

/** What a node shows of the blocks in a range; throws when it fails. */
type Answers = (from: number, to: number) => ShownActs[];
const honest: Answers = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => blockOf(from + at));
const away: Answers = () => {
  throw new Error('ECONNREFUSED');
};
const without =
  (bodyOf: number): Answers =>
  (from, to) =>
    honest(from, to).map((block) => (block.header.number === bodyOf ? { ...block, body: null } : block));
const hiding: Answers = (from, to) => honest(from, to).map((block) => ({ ...block, acts: new Map() }));
/** Fails at a whole range for one block of it, as at one that it cannot encode. */
const choking =
  (at: number): Answers =>
  (from, to) =>
    from <= at && at <= to ? away(from, to) : honest(from, to);
const having =
  (lowest: number): Answers =>
  (begin, end) =>
    honest(begin, end).filter(({ header }) => header.number >= lowest);

describe('what accounts did, by the blocks', () => {
  async function searched(nodes: Record<string, Answers>, heads: Record<string, Answers> = nodes): Promise<ActSearch> {
    const reads: Partial<BlockReads> = {
      urls: Object.keys(nodes),
      acts: async (url, begin, end) => Promise.resolve(nodes[url]!(begin, end)),
      headerAt: async (url, number) => Promise.resolve(heads[url]!(number, number)[0]?.header ?? null),
    };
    const acts = new BlockActs(
      reads as BlockReads,
      {} as VerifiedChain,
      {} as ChainTransactionRepository,
      new MovableClock(),
    );
    const search = new ActSearch(headerOf(TOP), FLOOR, new Set([OWNER]));
    await acts.read(search, Infinity);
    return search;
  }
  const found = ({ acts, unread, left, isOver }: ActSearch) => ({ acts: [...acts.keys()], unread, left, isOver });

  it.each<[string, Record<string, Answers>]>([
    ['both nodes show it', { one: honest, other: honest }],
    ['the first one hides it', { one: hiding, other: honest }],
    ['the second one hides it', { one: honest, other: hiding }],
    ['the first one lacks its body', { one: without(USED), other: honest }],
    ['one is away', { one: away, other: honest }],
    ['two of three lack it', { one: hiding, other: having(USED + 10), third: honest }],
  ])('are found when %s', async (_, nodes) => {
    expect(found(await searched(nodes))).toEqual({ acts: ['used'], unread: 0, left: 0, isOver: true });
  });

  it('are not known where no node shows a block in full, and it is counted', async () => {
    const nodes = { one: without(USED), other: without(USED) };
    expect(found(await searched(nodes))).toEqual({ acts: [], unread: 1, left: 0, isOver: true });
    expect(found(await searched({ one: choking(USED) }, { one: honest }))).toMatchObject({ acts: [], unread: 1 });
  });

  it('are not given up while a node is away that may show the block', async () => {
    await expect(searched({ one: without(USED), other: away })).rejects.toThrow(`block ${USED} could not be read`);
  });

  it('are not known below the blocks that nodes have', async () => {
    expect(found(await searched({ one: having(180) }))).toEqual({ acts: [], unread: 0, left: 80, isOver: true });
  });
});
