import { Injectable, Logger } from '@nestjs/common';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { ChainFaultRepository } from '../faults/chain-fault.repository';
import type { BlockBody, BlockHeader, ShownBlock } from '../node/block-answer';
import { BlockReads, MOST_BLOCKS_A_READ } from '../node/block-reads';
import { NodeUnavailableError } from '../node/node-errors';
import { BLOCKS_TIMEOUT_MS, READ_TIMEOUT_MS } from '../node/node-pool';
import { BlockClock } from './block-clock';

const NONE: BlockBody = { owners: new Map(), transactions: null };
/** Until a block is asked for again of which no node has shown the transactions; doubled each time. */
const FIRST_AGAIN_MS = 400;
const LONGEST_AGAIN_MS = 30_000;
/** A turn waits so long for blocks that are asked for again, and a shutdown that long. */
const AGAIN_WAIT_MS = 500;
const SHUTDOWN_WAIT_MS = 2_000;
/** Two instances of which one alone needs a block: a finding that the other has left behind lasts no longer. */
const CLEAR_AGAIN_MS = 60_000;

/** Which transactions the blocks of the verified chain have, by txid and with their owners, proved by their roots. */
@Injectable()
export class BlockBodies {
  private readonly logger = new Logger(BlockBodies.name);
  private readonly known = new Map<string, { number: number; body: BlockBody }>();
  /** By id: blocks that no node has shown in full. */
  private readonly unread = new Map<string, { number: number; againMs: number; waitMs: number }>();
  /** The highest block that was reported; none yet of this process, but perhaps of the one before. */
  private reported = -1;
  private clearedAtMs = Number.NEGATIVE_INFINITY;
  private again: Promise<void> | null = null;
  private isEnded = false;

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
   * single one twice. What none shows is asked for again one by one, beside the turns: a node may hang on one block. True when all are
   * there.
   * @throws NodeUnavailableError when no node shows even its head
   */
  async read(headers: readonly BlockHeader[]): Promise<boolean> {
    const isMissing = ({ id }: BlockHeader) => !this.known.has(id);
    const missing = headers.filter(isMissing);
    if (missing.length === 0) return true;
    const unasked = missing.filter(({ id }) => !this.unread.has(id));
    await this.readNow(unasked, true);
    await this.readAgain(missing.filter(isMissing));
    return !missing.some(isMissing);
  }

  /** Nothing is read any more; what a node keeps waiting is left. */
  async end(): Promise<void> {
    this.isEnded = true;
    if (this.again) await this.clock.waitAtMost(SHUTDOWN_WAIT_MS, this.again);
  }

  /** In a turn, no node is asked after a slow one. */
  private async readNow(headers: readonly BlockHeader[], isInTurn: boolean): Promise<void> {
    const begunMs = this.clock.monotonicMs();
    const isSlow = () => isInTurn && this.clock.monotonicMs() - begunMs >= READ_TIMEOUT_MS;
    let missing = headers;
    const { urls } = this.reads;
    const lists = new Map<string, string[]>();
    const faults = new Map<string, unknown>();
    const nodes = urls.length === 1 ? [...urls, ...urls] : urls;
    for (const url of nodes) {
      if (missing.length === 0) return;
      if (faults.has(url) || isSlow()) break;
      const reading = this.readFrom(url, missing, lists, isInTurn ? READ_TIMEOUT_MS : BLOCKS_TIMEOUT_MS);
      await reading.catch((fault: unknown) => faults.set(url, fault));
      missing = missing.filter(({ id }) => !this.known.has(id));
    }
    if (missing.length === 0) return;
    // A node that shows its head and not these blocks is not away: nothing else may wait for them.
    if (faults.size === urls.length && !(await this.reads.isAnyThere()))
      throw [...faults.values()][0] ?? new NodeUnavailableError('there is no node');
    for (const header of missing) this.waitFor(header);
    for (const header of missing) await this.report(header, lists.get(header.id) ?? [], nodes.length);
  }

  private async readAgain(headers: readonly BlockHeader[]): Promise<void> {
    const now = this.clock.monotonicMs();
    const due = headers.filter(({ id }) => (this.unread.get(id)?.againMs ?? Infinity) <= now);
    if (due.length === 0 || this.again || this.isEnded) return;
    this.again = forEachConcurrently(due, (header) => this.readOne(header)).finally(() => (this.again = null));
    await this.clock.waitAtMost(AGAIN_WAIT_MS, this.again);
  }

  private async readOne(header: BlockHeader): Promise<void> {
    if (this.isEnded) return;
    try {
      await this.readNow([header], false);
    } catch (error) {
      if (!(error instanceof NodeUnavailableError) && !this.isEnded)
        this.logger.warn({ err: error }, `Block ${header.number} was not read; it is tried again`);
    }
  }

  private waitFor({ id, number }: BlockHeader): void {
    const waitMs = Math.min(LONGEST_AGAIN_MS, (this.unread.get(id)?.waitMs ?? FIRST_AGAIN_MS / 2) * 2);
    this.unread.set(id, { number, waitMs, againMs: this.clock.monotonicMs() + waitMs });
  }

  private async readFrom(
    url: string,
    missing: readonly BlockHeader[],
    lists: Map<string, string[]>,
    timeoutMs: number,
  ): Promise<void> {
    const wanted = new Set(missing.map(({ id }) => id));
    const last = missing.at(-1)!.number;
    for (let from = missing[0]!.number; from <= last; from += MOST_BLOCKS_A_READ) {
      const to = Math.min(last, from + MOST_BLOCKS_A_READ - 1);
      for (const block of await this.reads.blocks(url, from, to, timeoutMs)) {
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
    [this.reported, this.clearedAtMs] = [number, Number.NEGATIVE_INFINITY];
    // Each time that it is read: an instance that did not need this block may have found all readable.
    await this.faults.report('block_unreadable', { number: String(number), id });
  }

  /** Every block that open transactions need could be read. */
  async allReadable(): Promise<void> {
    const now = this.clock.monotonicMs();
    if (now - this.clearedAtMs < CLEAR_AGAIN_MS) return;
    await this.faults.clear(['block_unreadable']);
    [this.reported, this.clearedAtMs] = [-1, now];
  }
}
