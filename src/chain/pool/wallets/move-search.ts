import type { ShownMoves } from '../../tron/node/block-answer';
import type { BlockHeader } from '../../proof/block-header';
import type { StakeMove } from '../../proof/stake-move';

/** A move of stake between two addresses, in this final block. */
export interface FoundMove extends StakeMove {
  readonly txId: string;
  readonly block: number;
  /** Lent until then at least, by block time. */
  readonly lockedUntilMs: number;
}

/** The final blocks down to this one were looked through. */
export interface Looked {
  readonly downTo: number;
  /** Block time of that one. */
  readonly timeMs: number;
  /** Block time of the newest block that was looked through. */
  readonly newestMs: number;
  readonly moves: readonly FoundMove[];
  /** Blocks whose transactions no node shows as the chain has them. */
  readonly unread: number;
  /** True: no node has the block below. */
  readonly isEnd: boolean;
}

/** Final blocks from the top down, each proved by the one above: its id is that block's parent. All moves of the pool's stake in them. */
export class MoveSearch {
  /** Id of the next block to be read. */
  id: string;
  /** Ids by height: gone by, by their headers. */
  readonly unread = new Map<number, string>();
  isEnd = false;
  /** Block times from the top down, one for each block. */
  private times: number[] = [];
  private readonly moves = new Map<string, FoundMove[]>();

  constructor(readonly top: BlockHeader) {
    this.id = top.id;
  }

  /** The height of the next block to be read. */
  get next(): number {
    return this.top.number - this.times.length;
  }

  goBelow({ parentId, timeMs }: BlockHeader): void {
    this.times.push(timeMs);
    this.id = parentId;
    this.isEnd = false;
  }

  keep({ header, moves }: ShownMoves, owners: ReadonlySet<string>): void {
    for (const [txId, move] of moves)
      if (owners.has(move.owner)) {
        const lockedUntilMs = header.timeMs + move.lockMs;
        this.movesOf(move.owner, move.receiver).push({ ...move, txId, block: header.number, lockedUntilMs });
      }
  }

  /** With what an older search has found from the next block on. */
  join(older: MoveSearch): void {
    this.times = [...this.times, ...older.times];
    [this.id, this.isEnd] = [older.id, older.isEnd];
    for (const [block, id] of older.unread) this.unread.set(block, id);
    for (const [pair, moves] of older.moves) this.moves.set(pair, [...(this.moves.get(pair) ?? []), ...moves]);
  }

  /** Whether the blocks between these are looked through, or as many as nodes have. */
  covers(top: number, lowest: number): boolean {
    if (this.top.number < top || this.times.length === 0) return false;
    return this.next < Math.max(0, lowest) || this.isEnd;
  }

  shown(owner: string, receiver: string, lowest: number): Looked {
    const downTo = Math.max(0, lowest, this.next + 1);
    return {
      downTo,
      timeMs: this.times[this.top.number - downTo]!,
      newestMs: this.top.timeMs,
      moves: this.movesOf(owner, receiver).filter(({ block }) => block >= downTo),
      unread: [...this.unread.keys()].filter((block) => block >= downTo).length,
      isEnd: this.isEnd && downTo > lowest,
    };
  }

  private movesOf(owner: string, receiver: string): FoundMove[] {
    const pair = `${owner} ${receiver}`;
    const moves = this.moves.get(pair) ?? [];
    this.moves.set(pair, moves);
    return moves;
  }
}
