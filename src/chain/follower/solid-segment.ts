import type { BlockHeader } from '../node/chain-reads';

/** An unbroken run of solid blocks, each linked to the one before by its parent's id and by a later time. */
export class SolidSegment {
  private cursor: BlockHeader | null = null;
  /** The first block of the run. */
  private coveredFrom = 0;
  private readonly ids = new Map<number, string>();

  /** The height to read next. */
  get next(): number {
    return this.cursor ? this.cursor.number + 1 : this.coveredFrom;
  }

  /** Every block from this height up to the newest of the run was read. */
  get start(): number {
    return this.coveredFrom;
  }

  get isEmpty(): boolean {
    return this.cursor === null;
  }

  /** A new run: after `cursor`, or from this height on. */
  startAt(number: number, cursor: BlockHeader | null = null): void {
    this.coveredFrom = number;
    this.cursor = cursor;
    this.ids.clear();
    if (cursor) this.ids.set(cursor.number, cursor.id);
  }

  /** Nothing open names a block below this one. */
  forgetBelow(number: number): void {
    for (const known of this.ids.keys()) {
      if (known >= number) return;
      this.ids.delete(known);
    }
  }

  /** Why the block cannot be the next of the run, or null when it is. */
  refusal(block: BlockHeader, tip: BlockHeader): string | null {
    const last = this.cursor;
    if (block.number !== this.next) return `is not block ${this.next}`;
    if (last && block.parentId !== last.id) return 'does not continue the solid chain read so far';
    if (last && block.timeMs <= last.timeMs) return 'is not later than its parent';
    if (block.number === tip.number && block.id !== tip.id) return 'is not the newest one, of the same height';
    if (block.number < tip.number && block.timeMs >= tip.timeMs) return 'is not earlier than the newest one';
    return null;
  }

  /**
   * Takes a block that was not refused. Gives the time that the chain has surely reached with it: the block's own when its id
   * proves that, else its parent's, which is known to lie between two others.
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
