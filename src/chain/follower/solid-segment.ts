import type { BlockHeader } from '../node/chain-reads';

/** Consecutive solid blocks, each linked to the one before by its parent id and by a later time. */
export class SolidSegment {
  private cursor: BlockHeader | null = null;
  /** Height of the first block. */
  private coveredFrom = 0;
  private readonly ids = new Map<number, string>();

  /** The height to read next. */
  get next(): number {
    return this.cursor ? this.cursor.number + 1 : this.coveredFrom;
  }

  /** Every block from this height up to the newest one was read. */
  get start(): number {
    return this.coveredFrom;
  }

  get isEmpty(): boolean {
    return this.cursor === null;
  }

  /** Starts a new segment: after `cursor`, or at this height. */
  startAt(number: number, cursor: BlockHeader | null = null): void {
    this.coveredFrom = number;
    this.cursor = cursor;
    this.ids.clear();
    if (cursor) this.ids.set(cursor.number, cursor.id);
  }

  /** No open transaction names a block below this one. */
  forgetBelow(number: number): void {
    for (const known of this.ids.keys()) {
      if (known >= number) return;
      this.ids.delete(known);
    }
  }

  /** Why the block cannot be the next one, or null when it can. */
  refusal(block: BlockHeader, tip: BlockHeader): string | null {
    const last = this.cursor;
    if (block.number !== this.next) return `is not block ${this.next}`;
    if (last && block.parentId !== last.id) return 'does not continue the solid chain read so far';
    if (last && block.timeMs <= last.timeMs) return 'is not later than its parent';
    if (block.number === tip.number && block.id !== tip.id) return 'is not the newest block, which has the same height';
    if (block.number < tip.number && block.timeMs >= tip.timeMs) return 'is not earlier than the newest block';
    return null;
  }

  /**
   * Adds a block that was not refused, and gives the time that the chain has certainly reached: the block's own when its id proves
   * it, else its parent's, which lies between two others.
   */
  extend(block: BlockHeader): number {
    const sureMs = block.proved ? block.timeMs : (this.cursor?.timeMs ?? 0);
    this.cursor = block;
    this.ids.set(block.number, block.id);
    return sureMs;
  }

  holds(number: bigint | null, id: string | null): boolean {
    return number !== null && id !== null && this.ids.get(Number(number)) === id;
  }
}
