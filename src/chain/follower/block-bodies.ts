import { Injectable, Logger } from '@nestjs/common';
import { ChainFaultRepository } from '../faults/chain-fault.repository';
import type { BlockBody, BlockHeader, ShownBlock } from '../node/block-answer';
import { BlockReads, MOST_BLOCKS_A_READ } from '../node/block-reads';
import { NodeUnavailableError } from '../node/node-errors';
import { BlockClock } from './block-clock';

const NONE: BlockBody = { owners: new Map(), transactions: null };
/** Until a block is asked for again of which no node has shown the transactions; doubled each time. */
const FIRST_AGAIN_MS = 400;
const LONGEST_AGAIN_MS = 30_000;

/** Which transactions the blocks of the verified chain have, by txid and with their owners, proved by their roots. */
@Injectable()
export class BlockBodies {
  private readonly logger = new Logger(BlockBodies.name);
  private readonly known = new Map<string, { number: number; body: BlockBody }>();
  /** By id: blocks that no node has shown in full. */
  private readonly unread = new Map<string, { number: number; againMs: number; waitMs: number }>();
  /** The highest block that was reported; none yet of this process, but perhaps of the one before. */
  private reported = -1;
  private isClear = false;

  constructor(
    private readonly reads: BlockReads,
    private readonly faults: ChainFaultRepository,
    private readonly clock: BlockClock,
  ) {}

  of({ id }: BlockHeader): BlockBody | undefined {
    return this.known.get(id)?.body;
  }

  add({ header, body }: ShownBlock): void {
    if (body) this.known.set(header.id, { number: header.number, body });
  }

  /** Nothing of ours was open when these blocks existed already: they cannot have any of our transactions. */
  skip(headers: readonly BlockHeader[]): void {
    for (const { id, number } of headers) if (!this.known.has(id)) this.known.set(id, { number, body: NONE });
  }

  forgetBelow(number: number): void {
    for (const blocks of [this.known, this.unread])
      for (const [id, block] of blocks) if (block.number < number) blocks.delete(id);
  }

  /**
   * Reads what is missing of these consecutive blocks: from the first node, and what that does not prove from the others, from a
   * single one twice. True when all are there.
   * @throws NodeUnavailableError when no node could be asked
   */
  async read(headers: readonly BlockHeader[]): Promise<boolean> {
    const wanted = headers.filter(({ id }) => !this.known.has(id));
    let missing = wanted.filter(({ id }) => this.clock.monotonicMs() >= (this.unread.get(id)?.againMs ?? 0));
    if (missing.length === 0) return wanted.length === 0;
    const areAll = missing.length === wanted.length;
    const { urls } = this.reads;
    const lists = new Map<string, string[]>();
    const faults: unknown[] = [];
    const nodes = urls.length === 1 ? [...urls, ...urls] : urls;
    for (const url of nodes) {
      await this.readFrom(url, missing, lists).catch((error: unknown) => faults.push(error));
      missing = missing.filter(({ id }) => !this.known.has(id));
      if (missing.length === 0) return areAll;
    }
    if (faults.length === nodes.length) throw faults[0] ?? new NodeUnavailableError('there is no node');
    for (const header of missing) this.waitFor(header);
    for (const header of missing) await this.report(header, lists.get(header.id) ?? [], nodes.length);
    return false;
  }

  private waitFor({ id, number }: BlockHeader): void {
    const waitMs = Math.min(LONGEST_AGAIN_MS, (this.unread.get(id)?.waitMs ?? FIRST_AGAIN_MS / 2) * 2);
    this.unread.set(id, { number, waitMs, againMs: this.clock.monotonicMs() + waitMs });
  }

  private async readFrom(url: string, missing: readonly BlockHeader[], lists: Map<string, string[]>): Promise<void> {
    const wanted = new Set(missing.map(({ id }) => id));
    const last = missing.at(-1)!.number;
    for (let from = missing[0]!.number; from <= last; from += MOST_BLOCKS_A_READ) {
      for (const block of await this.reads.blocks(url, from, Math.min(last, from + MOST_BLOCKS_A_READ - 1))) {
        const { id } = block.header;
        if (!wanted.has(id)) continue;
        this.add(block);
        if (!block.body) lists.set(id, [...(lists.get(id) ?? []), block.list]);
      }
    }
  }

  /** When every node gives the same list, no node lies: it has a kind of transaction that cannot be encoded here. */
  private async report({ number, id }: BlockHeader, lists: readonly string[], nodes: number): Promise<void> {
    const agreed = lists.length === nodes && new Set(lists).size === 1;
    if (!agreed || number < this.reported) return;
    if (number > this.reported)
      this.logger.error(`The transactions of block ${number} do not make its root, as every node shows them`);
    [this.reported, this.isClear] = [number, false];
    // Each time that it is read: an instance that did not need this block may have found all readable.
    await this.faults.report('block_unreadable', { number: String(number), id });
  }

  /** Every block that open transactions need could be read. */
  async allReadable(): Promise<void> {
    if (this.isClear) return;
    await this.faults.clear(['block_unreadable']);
    [this.reported, this.isClear] = [-1, true];
  }
}
