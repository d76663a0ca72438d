import type { OutboxRow } from '../transactions/outbox/outbox-row';

/** So many final blocks lie between two second looks: where many transactions die, each block would else be read many times. */
const APART = 10;

/**
 * Expired transactions whose blocks are all read from the nodes a second time before they count as dead. What was read earlier says nothing
 * of them: after a fail-over or a restore that lost rows, one that was found final is open again, and this process, or another instance,
 * has long gone past its block.
 */
export class SecondLook {
  /** By txid: none of the blocks that were read since it was found expired has it. */
  private readonly unseen = new Set<string>();
  private begunAt = Number.NEGATIVE_INFINITY;

  has({ tx_id: txId }: OutboxRow): boolean {
    return this.unseen.has(txId);
  }

  /** A block that was read has these. A row that is open after it was found is looked for from the beginning. */
  found(txIds: ReadonlyMap<string, unknown>): void {
    for (const txId of this.unseen) if (txIds.has(txId)) this.unseen.delete(txId);
  }

  forget(): void {
    this.unseen.clear();
    this.begunAt = Number.NEGATIVE_INFINITY;
  }

  isDue(final: number): boolean {
    return final - this.begunAt >= APART;
  }

  /** Takes all rows that are open and have expired by this final block; those from this reference block on are looked for from now. */
  begin(rows: readonly OutboxRow[], from: number, final: number): void {
    this.begunAt = final;
    const sought = rows.filter((row) => this.has(row) || Number(row.ref_block_number) >= from);
    this.unseen.clear();
    for (const { tx_id: txId } of sought) this.unseen.add(txId);
  }
}
