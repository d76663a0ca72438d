import { Injectable } from '@nestjs/common';
import type { BlockHeader, ShownMoves } from '../node/block-answer';
import { BlockReads, MOST_BLOCKS_A_READ } from '../node/block-reads';
import type { StakeMove } from '../proof/stake-move';
import { BlockClock } from './block-clock';
import { VerifiedChain } from './verified-chain';

/** A look ends after so many reads, or so long: others wait for it, and who looks further looks again. */
const MOST_READS_A_LOOK = 20;
const LOOK_MS = 5_000;
/** Of the blocks that could not be read, so many are tried again with each look. */
const MOST_AGAIN = 5;
/** Pairs of a wallet and a receiver that are looked at. What is forgotten is read again. */
const MOST_PAIRS = 50;

/** A move of stake between two addresses, in this final block. */
export interface FoundMove extends StakeMove {
  readonly txId: string;
  readonly block: number;
}

/** The final blocks down to this one were looked through. */
export interface Looked {
  readonly downTo: number;
  /** Block time of that one; null before any block was looked through. */
  readonly timeMs: number | null;
  readonly moves: readonly FoundMove[];
  /** Blocks whose transactions no node shows as the chain has them. */
  readonly unread: number;
  /** True: no node has the block below. */
  readonly isEnd: boolean;
}

type IsOfPair = (move: StakeMove) => boolean;

/** Blocks from the top down, each proved by the one above: its id is that block's parent. */
interface Search {
  readonly top: BlockHeader;
  /** The next one to be read. */
  number: number;
  id: string;
  timeMs: number | null;
  /** By txid: two looks at the same time find each once. */
  readonly moves: Map<string, FoundMove>;
  /** Ids by height: gone by, by their headers. */
  readonly unread: Map<number, string>;
  isEnd: boolean;
}

/** What final blocks show of the stake that was moved between two addresses, by whatever transaction: read on demand, back in time. */
@Injectable()
export class StakeMoves {
  private readonly searches = new Map<string, Search>();

  constructor(
    private readonly reads: BlockReads,
    private readonly chain: VerifiedChain,
    private readonly clock: BlockClock,
  ) {}

  /** Goes on looking, for a while, down to this block. Addresses are `41…` in hex. @throws NodeUnavailableError */
  async look(owner: string, receiver: string, lowest: number): Promise<Looked> {
    // A process without a follower has looked a while ago.
    const { final } = await this.chain.lookShortly();
    const key = `${owner} ${receiver}`;
    const isOfPair = (move: StakeMove) => move.owner === owner && move.receiver === receiver;
    const before = this.searches.get(key);
    const search = (before && (await this.sinceThen(before, final, isOfPair))) ?? begin(final);
    search.isEnd = false;
    await this.goDown(search, lowest, isOfPair);
    for (const [block, id] of [...search.unread].slice(0, MOST_AGAIN))
      await this.readAgain(search, block, id, isOfPair);
    // The least recently asked for goes first.
    this.searches.delete(key);
    this.searches.set(key, search);
    for (const oldest of [...this.searches.keys()].slice(0, -MOST_PAIRS)) this.searches.delete(oldest);
    const { number, timeMs, moves, unread, isEnd } = search;
    return { downTo: number + 1, timeMs, moves: [...moves.values()], unread: unread.size, isEnd };
  }

  /** With what is final since; null when that is too much, or leads elsewhere. */
  private async sinceThen(before: Search, final: BlockHeader, isOfPair: IsOfPair): Promise<Search | null> {
    const newer = begin(final);
    await this.goDown(newer, before.top.number + 1, isOfPair);
    if (newer.number !== before.top.number || newer.id !== before.top.id) return null;
    const moves = new Map([...newer.moves, ...before.moves]);
    return { ...before, top: newer.top, moves, unread: new Map([...newer.unread, ...before.unread]) };
  }

  private async goDown(search: Search, lowest: number, isOfPair: IsOfPair): Promise<void> {
    const untilMs = this.clock.monotonicMs() + LOOK_MS;
    for (let reads = 0; reads < MOST_READS_A_LOOK && this.clock.monotonicMs() < untilMs; reads++) {
      const { number } = search;
      if (number < Math.max(0, lowest)) return;
      const from = Math.max(0, lowest, number - MOST_BLOCKS_A_READ + 1);
      await this.readFromNodes(search, from, isOfPair);
      if (search.number === number) await this.goBy(search);
      search.isEnd = search.number === number;
      if (search.isEnd) return;
    }
  }

  private async readFromNodes(search: Search, from: number, isOfPair: IsOfPair): Promise<void> {
    const { number } = search;
    for (const url of this.reads.urls) {
      const shown = await this.reads.stakeMoves(url, from, number).catch((): ShownMoves[] => []);
      for (const block of shown.toReversed()) {
        if (block.header.id !== search.id || !block.body) break;
        keepMoves(search, block, isOfPair);
        goBelow(search, block.header);
      }
      if (search.number < number) return;
    }
  }

  /** No node shows what is in this block as the chain has it: its header leads on. */
  private async goBy(search: Search): Promise<void> {
    for (const url of this.reads.urls) {
      const header = await this.reads.headerAt(url, search.number).catch(() => null);
      if (header?.id !== search.id) continue;
      search.unread.set(header.number, header.id);
      return goBelow(search, header);
    }
  }

  /** Those that fail again are tried again last. */
  private async readAgain(search: Search, number: number, id: string, isOfPair: IsOfPair): Promise<void> {
    search.unread.delete(number);
    for (const url of this.reads.urls) {
      const [block] = await this.reads.stakeMoves(url, number, number).catch((): ShownMoves[] => []);
      if (block?.header.id === id && block.body) return keepMoves(search, block, isOfPair);
    }
    search.unread.set(number, id);
  }
}

function begin(top: BlockHeader): Search {
  const { number, id } = top;
  return { top, number, id, timeMs: null, moves: new Map(), unread: new Map(), isEnd: false };
}

function goBelow(search: Search, { number, parentId, timeMs }: BlockHeader): void {
  search.number = number - 1;
  search.id = parentId;
  search.timeMs = timeMs;
}

function keepMoves(search: Search, { header, moves }: ShownMoves, isOfPair: IsOfPair): void {
  for (const [txId, move] of moves) if (isOfPair(move)) search.moves.set(txId, { ...move, txId, block: header.number });
}
