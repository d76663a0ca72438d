import type { BlockHeader } from './block-header';
import type { BlockId } from './block-header';
import { headTimeMs } from './head-time';
import type { Judge } from './judge';

/**
 * Final headers that are kept below the newest final one, for open transactions that name them, and a turn of the witnesses more: new
 * ones are proved by blocks that have a whole turn on top.
 */
const KEPT = 120;

/** A branch that would undo a final block. Nothing is concluded any more until it is gone, or its operator accepts it. */
export class UndoesFinalError extends Error {
  constructor(
    readonly final: BlockId,
    readonly head: BlockHeader,
  ) {
    super(`a branch up to block ${head.number} (${head.id}) undoes final block ${final.number} (${final.id})`);
    this.name = 'UndoesFinalError';
  }
}

/**
 * Consecutive headers, each linked to the one before by its parent id and by a later time. The head is the newest one that the judge
 * believes; headers above it that the judge does not believe are left out. Final never steps back. Calls no node.
 */
export class HeaderChain {
  private readonly headers = new Map<number, BlockHeader>();
  private lowest: number;
  private newest: BlockHeader;
  private newestFinal: BlockHeader | null = null;
  private vouched: BlockHeader | null = null;
  private vouchedByTwo: BlockHeader | null = null;
  private dropped = 0;

  /** @param first proved by the caller, or by what is added on top of it */
  constructor(
    first: BlockHeader,
    private readonly judge: Judge,
  ) {
    this.lowest = first.number;
    this.newest = first;
    this.headers.set(first.number, first);
  }

  get head(): BlockHeader {
    return this.newest;
  }

  /** The newest final header; null while too few witnesses have signed what is here. */
  get final(): BlockHeader | null {
    return this.newestFinal;
  }

  /** The block time by which everything is decided that time decides, but expirations. */
  get headTimeMs(): number {
    return headTimeMs(this.newest, this.vouched, this.newestFinal);
  }

  /**
   * The block time from which expirations count: no single witness moves it. Two who are wrong would keep stake and money reserved for
   * longer; more than two to wait for would leave orders without a time of their own for that many blocks after an honest jump.
   */
  get signingTimeMs(): number {
    return headTimeMs(this.newest, this.vouchedByTwo, this.newestFinal);
  }

  /** The height of the oldest header that is kept. */
  get floor(): number {
    return this.lowest;
  }

  at(number: number): BlockHeader | undefined {
    return this.headers.get(number);
  }

  holds(number: number | bigint | null, id: string | null): boolean {
    return number !== null && id !== null && this.headers.get(Number(number))?.id === id;
  }

  /** From the newest to the oldest. */
  *newestFirst(): Generator<BlockHeader> {
    for (let number = this.newest.number; number >= this.lowest; number--) yield this.headers.get(number)!;
  }

  /** How many headers longer branches have replaced so far. */
  get replaced(): number {
    return this.dropped;
  }

  /**
   * Adds headers, lowest first, of which the first one's parent is here. A branch that is not longer changes nothing.
   * @throws UndoesFinalError
   */
  extend(branch: readonly BlockHeader[]): void {
    const believed = branch.slice(0, branch.findLastIndex((header) => this.judge.believes(header)) + 1);
    const [first, tip] = [believed[0], believed.at(-1)];
    if (!first || !tip || tip.number <= this.newest.number) return;
    if (this.newestFinal && first.number <= this.newestFinal.number) throw new UndoesFinalError(this.newestFinal, tip);
    for (let number = first.number; number <= this.newest.number; number++) {
      this.headers.delete(number);
      this.dropped++;
    }
    for (const header of believed) this.headers.set(header.number, header);
    this.newest = tip;
    this.settle();
  }

  /** A block of the chain under the signature of its witness: a node may have shown it under another one, which its id leaves out. */
  resign(header: BlockHeader): void {
    if (!this.holds(header.number, header.id)) return;
    this.headers.set(header.number, header);
    this.settle();
  }

  /** This block of the chain was final before the process started. */
  anchor(number: number): void {
    if (number > (this.newestFinal?.number ?? -1)) this.newestFinal = this.headers.get(number) ?? this.newestFinal;
  }

  /** Decides again what is final, and whose time is vouched for: the judge may have learned of other witnesses. */
  settle(): void {
    this.vouched = this.headers.get(this.judge.vouchedHeight(this)) ?? null;
    this.vouchedByTwo = this.headers.get(this.judge.vouchedHeight(this, 1)) ?? null;
    const header = this.headers.get(this.judge.finalHeight(this));
    if (header && header.number > (this.newestFinal?.number ?? -1)) this.newestFinal = header;
    if (!this.newestFinal) return;
    const kept = KEPT + this.judge.witnesses.length;
    for (; this.lowest < this.newestFinal.number - kept; this.lowest++) this.headers.delete(this.lowest);
  }
}

/** Why the block does not follow this parent, or null. */
export function brokenLink(parent: BlockHeader, block: BlockHeader): string | null {
  if (block.number !== parent.number + 1) return `block ${block.number} is not block ${parent.number + 1}`;
  if (block.parentId !== parent.id) return `block ${block.number} does not follow block ${parent.number}`;
  return block.timeMs > parent.timeMs ? null : `block ${block.number} is not later than its parent`;
}
