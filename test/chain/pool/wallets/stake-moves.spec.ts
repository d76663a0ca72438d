import { StakeMoves } from '../../../../src/chain/pool/wallets/stake-moves';
import { toHexAddress } from '../../../../src/chain/tron/addresses';
import type { VerifiedChain } from '../../../../src/chain/verified-chain/verified-chain';
import type { DoubtfulBlockError, ShownMoves } from '../../../../src/chain/tron/node/block-answer';
import type { BlockHeader } from '../../../../src/chain/proof/block-header';
import type { BlockReads } from '../../../../src/chain/tron/node/block-reads';
import type { StakeMove } from '../../../../src/chain/proof/stake-move';
import type { PoolWallets } from '../../../../src/chain/pool/wallets/pool-wallets';
import type { BackgroundJob } from '../../../../src/common/background-job';
import type { Shutdown } from '../../../../src/common/shutdown';
import { MovableClock } from '../../../support/movable-clock';

const WALLET = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const OWNER = toHexAddress(WALLET);
const PAIRS = 60;
const TOP = 3_000;
const LOWEST = 1_000;
const receiverOf = (n: number) => `41${String(n).padStart(40, '0')}`;

function headerOf(number: number, id = `b${number}`): BlockHeader {
  const parentId = id.replace(/\d+/, String(number - 1));
  const made = { witness: null, signer: null, signed: null };
  return { number, id, parentId, timeMs: number * 3_000, root: '', ...made };
}

/** One undelegation of each receiver, in the lowest blocks, and one of somebody else's stake. */
function blockOf(number: number): ShownMoves {
  const n = number - LOWEST;
  const move = (owner: string): StakeMove => ({ owner, receiver: receiverOf(n), isLent: false, sun: 5n, lockMs: 0 });
  const moves = new Map(n >= 0 && n < PAIRS ? [[`own${n}`, move(OWNER)] as const, [`other${n}`, move('41ff')]] : []);
  return { header: headerOf(number), body: { owners: new Map(), transactions: null }, listing: null, moves };
}

/** What a node shows of the blocks in a range; throws when it fails. */
type Answers = (from: number, to: number) => ShownMoves[];
const honest: Answers = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => blockOf(from + at));
/** Another branch, in which nothing was moved. */
const ofOtherBranch: Answers = (from, to) =>
  honest(from, to).map((block) => {
    const { number } = block.header;
    return { ...block, header: headerOf(number, `c${number}`), moves: new Map() };
  });
const failing: Answers = () => {
  throw new Error('429');
};
const lowerThan = (end: number, answers: Answers): Answers => {
  return (from, to) => (to <= end ? answers(from, to) : honest(from, to));
};

describe('the stake that others moved', () => {
  let nodes: Record<string, Answers>;
  let final: number;
  /** The letter that the ids of its blocks begin with. */
  let branch: string;
  let moves: StakeMoves;
  let read: number[];
  let doubted: string[];
  let looks: Promise<unknown>[];
  let hold: Promise<void>;
  const clock = new MovableClock();
  beforeEach(() => {
    hold = Promise.resolve();
    [nodes, final, branch, read, doubted, looks] = [{ one: honest }, TOP, 'b', [], [], []];
    const reads: Partial<BlockReads> = {
      get urls() {
        return Object.keys(nodes);
      },
      stakeMoves: async (url, from, to) => {
        await hold;
        const shown = nodes[url]!(from, to);
        read.push(...shown.map(({ header }) => header.number));
        return shown;
      },
      headerAt: async (url, number) => {
        await Promise.resolve();
        return nodes[url]!(number, number)[0]?.header ?? null;
      },
      doubted: (url: string, _fault: DoubtfulBlockError) => void doubted.push(url),
    };
    const chain = {
      tips: () => ({ final: headerOf(final, `${branch}${final}`) }),
      get headers() {
        const [tip, floor] = [headerOf(final, `${branch}${final}`), final - 100];
        const holds = (number: number, id: string) => number >= floor && number <= final && id === `${branch}${number}`;
        return { final: tip, head: tip, floor, holds };
      },
    };
    const job = {
      runAsked: (_name: string, work: () => Promise<unknown>) => {
        const look = work();
        looks.push(look);
        return look;
      },
    };
    moves = new StakeMoves(
      reads as BlockReads,
      chain as unknown as VerifiedChain,
      clock,
      { list: () => Promise.resolve([{ address: WALLET }]) } as unknown as PoolWallets,
      job as unknown as BackgroundJob,
      { signal: new AbortController().signal } as Shutdown,
    );
  });

  const ask = (n = 0, top = TOP) => moves.find(OWNER, receiverOf(n), top, LOWEST);
  const endLook = async () => {
    await looks.at(-1);
    // What follows the end of the look.
    await Promise.resolve();
    await Promise.resolve();
  };
  const look = async (top = TOP) => {
    const before = ask(0, top);
    await endLook();
    return before;
  };
  async function untilFound(top = TOP): Promise<number> {
    for (let count = 1; count < 100; count++) if (await look(top)) return count;
    throw new Error('never found');
  }

  it('of sixty pairs is found by one search that reads each block once, and none of others is kept', async () => {
    for (let looked = 0; looked < 6; looked++) {
      expect(Array.from({ length: PAIRS }, (_, n) => ask(n))).toEqual(Array.from({ length: PAIRS }, () => null));
      await endLook();
      if (ask(0)) break;
    }
    for (let n = 0; n < PAIRS; n++)
      expect(ask(n)).toMatchObject({ downTo: LOWEST, timeMs: LOWEST * 3_000, moves: [{ txId: `own${n}` }], unread: 0 });
    expect(moves.find('41ff', receiverOf(0), TOP, LOWEST)!.moves).toEqual([]);
    expect(read.toSorted((a, b) => a - b)).toEqual(Array.from({ length: TOP - LOWEST + 1 }, (_, at) => LOWEST + at));
  });

  it('goes on below what was read before, after a pause of whatever length, by reading the blocks that came since', async () => {
    await look();
    await look();
    const depth = Math.min(...read);
    final += 1_000;
    expect(await untilFound(final)).toBeLessThan(10);
    expect(depth).toBeGreaterThan(LOWEST);
    expect(read.toSorted((a, b) => a - b)).toEqual(Array.from({ length: final - LOWEST + 1 }, (_, at) => LOWEST + at));
    expect(ask(PAIRS - 1, final)).toMatchObject({ moves: [{ txId: `own${PAIRS - 1}` }], isEnd: false });
  });

  it('stays known as far as it was read where all nodes fail, and the look goes on when one answers', async () => {
    await look();
    const before = read.length;
    nodes = { one: failing, two: failing };
    for (let n = 0; n < 3; n++) expect(await look()).toBeNull();
    expect(ask()).toBeNull();
    await endLook();
    nodes = { one: failing, two: honest };
    await untilFound();
    expect(ask()).toMatchObject({ downTo: LOWEST, isEnd: false });
    expect(before).toBeGreaterThan(0);
    expect(new Set(read).size).toBe(read.length);
  });

  it('is the end where a node that answers has no block below; another that has it is gone on with', async () => {
    const none = lowerThan(2_000, () => []);
    nodes = { one: none, two: lowerThan(2_000, failing) };
    await untilFound();
    expect(ask()).toMatchObject({ isEnd: true, downTo: 2_001 });
    await endLook();
    nodes = { one: none, two: honest };
    await untilFound();
    for (let n = 0; ask()?.isEnd && n < 10; n++) await endLook();
    await untilFound();
    expect(ask()).toMatchObject({ isEnd: false, downTo: LOWEST });
  });

  const left = (block: ShownMoves): ShownMoves => ({ ...block, body: null });
  const other = (block: ShownMoves): ShownMoves => ({ ...block, header: headerOf(block.header.number, 'c0') });
  const lies: [string, (block: ShownMoves) => ShownMoves][] = [
    ['leaves a transaction out of', left],
    ['shows another block for', other],
  ];
  it.each(lies)('a node that %s a block is doubted once another proves it', async (_, lie) => {
    const at = 1_500;
    const lying: Answers = (from, to) => honest(from, to).map((one) => (one.header.number === at ? lie(one) : one));
    nodes = { one: lying };
    for (let n = 0; n < 8; n++) await look();
    expect(doubted).toEqual([]);
    nodes = { one: lying, two: honest };
    for (let n = 0; n < 8; n++) await look();
    expect(doubted).toEqual(['one']);
    expect(ask()).toMatchObject({ unread: 0, isEnd: false, downTo: LOWEST });
  });

  it('keeps no caller waiting: while a node says nothing, each caller is answered, and one read is under way', async () => {
    const answered = Promise.withResolvers<void>();
    hold = answered.promise;
    for (let n = 0; n < 200; n++) expect(ask(n)).toBeNull();
    await new Promise(setImmediate);
    expect([read, looks.length]).toEqual([[], 1]);
    for (let n = 0; n < 200; n++) expect(ask(n)).toBeNull();
    nodes = { one: honest };
    answered.resolve();
    await endLook();
    await untilFound();
    expect(ask(1)).toMatchObject({ moves: [{ txId: 'own1' }] });
  });

  it.each([
    ['as high', TOP],
    ['higher', TOP + 50],
    ['lower', TOP - 500],
  ])(
    'proves nothing in a branch that was given up: the one in its place, which is %s, is looked through from its top',
    async (_, height) => {
      await untilFound();
      [final, branch, nodes] = [height, 'c', { one: ofOtherBranch }];
      read.length = 0;
      const top = Math.min(TOP, height);
      expect(ask(0, top)).toBeNull();
      await endLook();
      await untilFound(top);
      expect(ask(0, top)).toMatchObject({ downTo: LOWEST, moves: [], unread: 0 });
      expect(read.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: height - LOWEST + 1 }, (__, at) => LOWEST + at),
      );
    },
  );

  it('is read again once no order has needed it, and from the newest block', async () => {
    await untilFound();
    moves.forget();
    read.length = 0;
    expect(ask()).toBeNull();
    await endLook();
    expect(read).toContain(final);
  });
});
