import { Injectable, Logger } from '@nestjs/common';
import { ChainFaultRepository } from './faults/chain-fault.repository';
import { type BlockBody, DoubtfulBlockError, type ShownBlock } from '../tron/node/block-answer';
import type { BlockHeader } from '../proof/block-header';
import { BlockReads, MOST_BLOCKS_A_READ } from '../tron/node/block-reads';
import { NodeUnavailableError } from '../tron/node/node-errors';
import { BLOCKS_TIMEOUT_MS, READ_TIMEOUT_MS } from '../tron/node/node-pool';
import { BlockClock } from './block-clock';
import { NOTHING_OF_OURS, onlyOf } from './own-part';

/** Until a block is asked for again of which no node has shown the transactions; doubled each time. */
const FIRST_AGAIN_MS = 400;
const LONGEST_AGAIN_MS = 30_000;
/** A turn waits so long for blocks that it has begun to read, for those that are asked for again, and a shutdown for all of them. */
const TURN_WAIT_MS = 3_000;
const AGAIN_WAIT_MS = 500;
const SHUTDOWN_WAIT_MS = 2_000;
/** One by one, at the same time: of those that are asked for alone for the first time, and as many of the others. */
const MOST_AT_ONCE = 4;
/** A block that no turn wants for so long is left in peace: a fork dropped it, or what could be in it is settled. */
const UNWANTED_MS = 120_000;

/** A block that no node has shown in full. */
interface UnreadBlock {
  readonly header: BlockHeader;
  againMs: number;
  readonly waitMs: number;
  /** Until nodes have failed at it alone, another block of the same answer may have been at fault. */
  readonly hasFailedAlone: boolean;
  wantedMs: number;
}

/** A list of transactions that does not make the root of its block. */
interface UnprovedList {
  readonly url: string;
  readonly number: number;
  readonly digest: string;
}

/** So often, a finding is looked for that another process has left behind. */
const CLEAR_AGAIN_MS = 60_000;

/** Which transactions the blocks of the verified chain have, by txid and with their owners, proved by their roots. */
@Injectable()
export class BlockBodies {
  private readonly logger = new Logger(BlockBodies.name);
  private readonly known = new Map<string, { number: number; body: BlockBody }>();
  /** By id. */
  private readonly unread = new Map<string, UnreadBlock>();
  /** The highest block that was reported, if any. */
  private reported = -1;
  private clearedAtMs = Number.NEGATIVE_INFINITY;
  /** By id: being read, for this turn or an earlier one. */
  private readonly underWay = new Map<string, Promise<void>>();
  private isEnded = false;

  constructor(
    private readonly reads: BlockReads,
    private readonly faults: ChainFaultRepository,
    private readonly clock: BlockClock,
  ) {}

  of({ id }: BlockHeader): BlockBody | undefined {
    return this.known.get(id)?.body;
  }

  /** As the body of this header, which the chain holds: its height and its root count, whatever header came with the body. */
  add({ header, body }: ShownBlock, held: BlockHeader): void {
    if (body && header.id === held.id && header.number === held.number && isUnder(held, body))
      this.known.set(held.id, { number: held.number, body });
  }

  /** Nothing of ours was open when these blocks existed already: they cannot have any of our transactions. */
  skip(headers: readonly BlockHeader[]): void {
    for (const { id, number } of headers)
      if (!this.known.has(id)) this.known.set(id, { number, body: NOTHING_OF_OURS });
  }

  /** It was looked through, and has these of ours: others that are committed from now on cannot be in it. */
  keepOnly({ id }: BlockHeader, txIds: readonly string[]): void {
    const block = this.known.get(id);
    if (block) this.known.set(id, { ...block, body: onlyOf(block.body, txIds) });
  }

  forgetBelow(number: number): void {
    for (const [id, block] of this.known) if (block.number < number) this.known.delete(id);
  }

  /** These are read from the nodes once more: what was kept of them, or left out, was by the rows of then. */
  forget(from: number, to: number): void {
    for (const [id, { number }] of this.known) if (number >= from && number <= to) this.known.delete(id);
  }

  /**
   * Reads what is missing of these consecutive blocks: from the first node, and what that does not prove from the others, from a
   * single one twice. What none shows is asked for again, one by one. A node may hang on any of them: a turn waits three seconds, and
   * what comes later is there for a later turn. True when all are there.
   * @throws NodeUnavailableError when no node shows even its head
   */
  async read(headers: readonly BlockHeader[]): Promise<boolean> {
    const isMissing = ({ id }: BlockHeader) => !this.known.has(id);
    const idle = headers.filter((header) => isMissing(header) && !this.underWay.has(header.id));
    const unasked = idle.filter(({ id }) => !this.unread.has(id));
    // Together with one at which nodes fail, none of them would be read.
    const parts = unasked.length > MOST_AT_ONCE ? [unasked] : unasked.map((header) => [header]);
    const begun = parts.map((part) => this.begin(part, READ_TIMEOUT_MS));
    if (begun.length > 0) await this.clock.waitAtMost(TURN_WAIT_MS, Promise.all(begun));
    const again = this.beginAgain(new Set(headers.map(({ id }) => id)));
    if (again.length > 0) await this.clock.waitAtMost(AGAIN_WAIT_MS, Promise.all(again));
    return !headers.some(isMissing);
  }

  /** Nothing is read any more; what a node keeps waiting is left. */
  async end(): Promise<void> {
    this.isEnded = true;
    await this.clock.waitAtMost(SHUTDOWN_WAIT_MS, Promise.allSettled(this.underWay.values()));
  }

  /**
   * A block that can be read waits for none at which nodes hang: those that were only asked for together with others have places and a
   * short time-out of their own. Of the rest the one that is overdue longest comes first, whichever turn wants it: a few would otherwise
   * take all places each time. Gives those that this turn wants.
   */
  private beginAgain(wanted: ReadonlySet<string>): Promise<void>[] {
    const now = this.clock.monotonicMs();
    for (const [id, block] of this.unread) {
      if (wanted.has(id)) block.wantedMs = now;
      const isUnwanted = now - block.wantedMs > UNWANTED_MS && !this.underWay.has(id);
      if (this.known.has(id) || isUnwanted) this.unread.delete(id);
    }
    const isIdle = ({ againMs, header: { id } }: UnreadBlock) => againMs <= now && !this.underWay.has(id);
    const due = [...this.unread.values()].filter(isIdle).toSorted((one, other) => one.againMs - other.againMs);
    const first = due.filter(({ header, hasFailedAlone }) => !hasFailedAlone && wanted.has(header.id));
    const rest = due.filter(({ hasFailedAlone }) => hasFailedAlone);
    const begun = [...this.free(first, false), ...this.free(rest, true)].map((block) => {
      // Also where every node is away, so that the block is not asked for at each turn.
      block.againMs = now + block.waitMs;
      const reading = this.begin([block.header], block.hasFailedAlone ? BLOCKS_TIMEOUT_MS : READ_TIMEOUT_MS);
      return { id: block.header.id, reading };
    });
    // The turns that want it learn by its absence that it was not read.
    for (const { reading } of begun) reading.catch(() => undefined);
    return begun.filter(({ id }) => wanted.has(id)).map(({ reading }) => reading);
  }

  /** So many of these as have a place. */
  private free(blocks: readonly UnreadBlock[], hasFailedAlone: boolean): readonly UnreadBlock[] {
    const isOfThese = (id: string) => this.unread.get(id)?.hasFailedAlone === hasFailedAlone;
    const taken = [...this.underWay.keys()].filter(isOfThese).length;
    return blocks.slice(0, Math.max(0, MOST_AT_ONCE - taken));
  }

  private begin(headers: readonly BlockHeader[], timeoutMs: number): Promise<void> {
    const reading = this.readNow(headers, timeoutMs).finally(() => {
      for (const { id } of headers) this.underWay.delete(id);
    });
    for (const { id } of headers) this.underWay.set(id, reading);
    return reading;
  }

  private async readNow(headers: readonly BlockHeader[], timeoutMs: number): Promise<void> {
    let missing = headers;
    const { urls } = this.reads;
    const lists = new Map<string, UnprovedList[]>();
    const faults = new Map<string, unknown>();
    const nodes = urls.length === 1 ? [...urls, ...urls] : urls;
    for (const url of nodes) {
      if (missing.length === 0 || this.isEnded) break;
      // One that has failed is not asked a second time.
      if (faults.has(url)) break;
      await this.readFrom(url, missing, lists, timeoutMs).catch((fault: unknown) => faults.set(url, fault));
      missing = missing.filter(({ id }) => !this.known.has(id));
    }
    this.doubt(lists);
    if (missing.length === 0 || this.isEnded) return;
    const [fault] = faults.values();
    // A node that shows its head and not these blocks is not away: nothing else may wait for them.
    if (faults.size === urls.length && !(await this.reads.isAnyThere()))
      throw fault ?? new NodeUnavailableError('no node is left to ask');
    this.waitFor(missing, fault, headers.length === 1);
    for (const header of missing) await this.report(header, lists.get(header.id) ?? [], nodes.length);
  }

  private waitFor(headers: readonly BlockHeader[], fault: unknown, hasFailedAlone: boolean): void {
    const [first] = headers;
    if (fault !== undefined && !headers.some(({ id }) => this.unread.has(id)))
      this.logger.warn(
        { err: fault },
        `Blocks from ${first!.number} on were not read (${headers.length}); they are asked for one by one`,
      );
    const now = this.clock.monotonicMs();
    for (const header of headers) {
      const { waitMs: waitedMs = FIRST_AGAIN_MS / 2, wantedMs = now } = this.unread.get(header.id) ?? {};
      const waitMs = Math.min(LONGEST_AGAIN_MS, waitedMs * 2);
      this.unread.set(header.id, { header, waitMs, againMs: now + waitMs, hasFailedAlone, wantedMs });
    }
  }

  /** Where another node has proved the block, or the same one lists other transactions, the node is at fault, and not the encoding here. */
  private doubt(lists: ReadonlyMap<string, readonly UnprovedList[]>): void {
    for (const [id, shown] of lists) {
      for (const { url, number, digest } of shown) {
        const isUnsteady = shown.some((other) => other.url === url && other.digest !== digest);
        if (!this.known.has(id) && !isUnsteady) continue;
        this.reads.doubted(url, new DoubtfulBlockError(`the transactions of block ${number} do not make its root`));
      }
    }
  }

  private async readFrom(
    url: string,
    missing: readonly BlockHeader[],
    lists: Map<string, UnprovedList[]>,
    timeoutMs: number,
  ): Promise<void> {
    const wanted = new Map(missing.map((header) => [header.id, header]));
    const last = missing.at(-1)!.number;
    for (let from = missing[0]!.number; from <= last; from += MOST_BLOCKS_A_READ) {
      const to = Math.min(last, from + MOST_BLOCKS_A_READ - 1);
      for (const block of await this.reads.blocks(url, from, to, timeoutMs)) {
        const { id } = block.header;
        const held = wanted.get(id);
        if (!held) continue;
        this.add(block, held);
        if (!block.listing) continue;
        const { number } = held;
        lists.set(id, [...(lists.get(id) ?? []), { url, number, digest: block.listing.digest }]);
      }
    }
  }

  /** When every node gives the same list, no node lies: it has a kind of transaction that cannot be encoded here. */
  private async report({ number, id }: BlockHeader, lists: readonly UnprovedList[], nodes: number): Promise<void> {
    const agreed = lists.length === nodes && new Set(lists.map(({ digest }) => digest)).size === 1;
    if (!agreed || number < this.reported) return;
    if (number > this.reported)
      this.logger.error(`The transactions of block ${number} do not make its root, as every node shows them`);
    this.reported = number;
    // Each time that it is read: an instance that did not need this block may have found all readable.
    await this.faults.report('block_unreadable', { number: String(number), id });
  }

  /** Every block that open transactions need could be read. */
  async allReadable(): Promise<void> {
    const now = this.clock.monotonicMs();
    if (this.reported >= 0) await this.faults.clear(['block_unreadable']);
    else if (now - this.clearedAtMs >= CLEAR_AGAIN_MS) await this.faults.clearOld('block_unreadable');
    else return;
    [this.reported, this.clearedAtMs] = [-1, now];
  }
}

/** Only where no signature is looked at, a list stands for itself (`CHAIN_PROOF=nodes`). */
function isUnder(held: BlockHeader, { transactions }: BlockBody): boolean {
  return transactions === null ? held.signed === null : transactions.root === held.root;
}
