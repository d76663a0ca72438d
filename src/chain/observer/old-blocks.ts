import type { Clock } from '../../common/clock';
import { type Block, DoubtfulBlockError, type ShownBlock } from '../tron/node/block-answer';
import type { BlockHeader } from '../proof/block-header';
import { BlockReads, MOST_BLOCKS_A_READ } from '../tron/node/block-reads';
import { READ_TIMEOUT_MS } from '../tron/node/node-pool';
import type { ChainTransactionRepository } from '../transactions/outbox/chain-transaction.repository';
import { brokenLink, HeaderChain } from '../proof/header-chain';
import type { ChainProof } from '../verified-chain/chain-proof';
import { onlyOf } from '../verified-chain/own-part';

/** A day of blocks. When so many prove nothing, they are a branch on which no other block was built: set aside, and read again later. */
const MOST_UNPROVED = 28_800;

interface OldBody {
  /** Null when no node shows them: its header still leads to the blocks above. */
  readonly owners: Block['owners'] | null;
  readonly transactions: Block['transactions'];
}

type OldBlock = BlockHeader & OldBody;

/**
 * Blocks from before the verified chain begins, of a pause. They prove themselves: each is final once enough witnesses have built on it
 * in the blocks after it, or once they lead to the verified chain.
 */
export class OldBlocks {
  private segment: HeaderChain | null = null;
  /** Read and not given out yet: nothing proves so far that they are final. */
  private waiting: OldBlock[] = [];
  /** From the next block on, given out or not: what has been built on it. */
  private readonly headers = new Map<number, BlockHeader>();
  /** These are read one by one: the nodes could not be asked for them together. */
  private single: { readonly from: number; readonly to: number } | null = null;

  constructor(
    private readonly reads: BlockReads,
    private readonly proof: ChainProof,
    private readonly ours: ChainTransactionRepository,
    private readonly clock: Clock,
    private readonly mostUnproved = MOST_UNPROVED,
  ) {}

  /** What the nodes show in the place of a block that cannot be read, if they show one. */
  get shown(): BlockHeader | null {
    return this.waiting[0] ?? null;
  }

  forget(): void {
    this.segment = null;
    this.waiting = [];
    this.headers.clear();
  }

  /** What cannot be read of this block was decided otherwise: the next one is used. */
  skip(number: number): void {
    if (this.waiting[0]?.number === number) this.waiting.shift();
  }

  at(number: number): BlockHeader | undefined {
    return this.headers.get(number);
  }

  /**
   * Final blocks from this height on, lowest first; none yet when the blocks read so far prove none. Null when the first of them cannot
   * be read.
   * @throws NodeUnavailableError
   */
  async read(next: number, chain: HeaderChain): Promise<Block[] | null> {
    if (this.waiting.length > 0 && this.waiting[0]!.number !== next) this.forget();
    for (const number of this.headers.keys()) if (number < next) this.headers.delete(number);
    if (this.waiting[0]?.owners === null) return null;
    const from = next + this.waiting.length;
    if (from >= chain.floor) return this.joined(chain);
    if (this.waiting.length >= this.mostUnproved) return this.unproved();
    const isSingle = this.single !== null && from >= this.single.from && from <= this.single.to;
    const to = isSingle ? from : Math.min(chain.floor - 1, from + MOST_BLOCKS_A_READ - 1);
    const faults: unknown[] = [];
    const unproved: { readonly url: string; readonly header: BlockHeader }[] = [];
    const begunMs = this.clock.monotonicMs();
    for (const url of this.reads.urls) {
      // A turn waits for one slow node; next time the others come first.
      if (faults.length > 0 && this.clock.monotonicMs() - begunMs >= READ_TIMEOUT_MS) break;
      const shown = await this.reads.blocks(url, from, to).catch((error: unknown) => {
        faults.push(error);
        return [];
      });
      this.doubtLinks(url, shown);
      if (this.add(await this.ofOurs(shown), from)) {
        // This node has shown transactions that make the root.
        const { id } = this.headers.get(from)!;
        for (const { url: other, header } of unproved) if (header.id === id) this.doubtRoot(other, header);
        return this.proved(next);
      }
      const [first] = shown;
      if (first && this.follows(first.header, from)) unproved.push({ url, header: first.header });
    }
    let header = unproved.at(-1)?.header ?? null;
    if (!header && faults.length > 0) {
      if (faults.length === this.reads.urls.length && !(await this.reads.isAnyThere())) throw faults[0];
      // Every node fails at one of these blocks, perhaps: the others can be read.
      if (from < to) {
        this.single = { from, to };
        return [];
      }
      header = await this.headerAt(from);
    }
    if (!header) return this.unproved();
    this.keep(header, { owners: null, transactions: null });
    return this.proved(next);
  }

  /** Blocks of one answer follow each other, whatever branch they are of. */
  private doubtLinks(url: string, shown: readonly ShownBlock[]): void {
    const headers = shown.map(({ header }) => header);
    const broken = headers.slice(1).map((header, at) => brokenLink(headers[at]!, header));
    const gap = broken.find((found) => found !== null);
    if (gap) this.reads.doubted(url, new DoubtfulBlockError(gap));
  }

  private doubtRoot(url: string, { number }: BlockHeader): void {
    this.reads.doubted(url, new DoubtfulBlockError(`the transactions of block ${number} do not make its root`));
  }

  /** As any node shows it, although none shows the block in full. */
  private async headerAt(number: number): Promise<BlockHeader | null> {
    for (const url of this.reads.urls) {
      const header = await this.reads.headerAt(url, number).catch(() => null);
      if (header && this.follows(header, number)) return header;
    }
    return null;
  }

  /** Without the transactions of others: thousands of blocks may have to be kept before any of them is proved. */
  private async ofOurs(shown: readonly ShownBlock[]): Promise<ShownBlock[]> {
    const txIds = shown.flatMap(({ body }) => [...(body?.owners.keys() ?? [])]);
    const open = txIds.length > 0 ? await this.ours.findOpen(txIds) : [];
    const ours = open.map(({ tx_id: txId }) => txId);
    return shown.map((block) => ({ ...block, body: block.body && onlyOf(block.body, ours) }));
  }

  /** False when not even the first of these links to what is there, or makes its root. */
  private add(shown: readonly ShownBlock[], from: number): boolean {
    let added = false;
    for (const { header, body } of shown) {
      if (!body || !this.follows(header, from)) break;
      this.keep(header, body);
      added = true;
    }
    return added;
  }

  private keep(header: BlockHeader, body: OldBody): void {
    this.waiting.push({ ...header, ...body });
    this.headers.set(header.number, header);
  }

  private follows(header: BlockHeader, from: number): boolean {
    const last = this.waiting.at(-1) ?? this.segment?.head;
    return last ? brokenLink(last, header) === null : header.number === from;
  }

  private proved(next: number): Block[] {
    const [first] = this.waiting;
    this.segment ??= new HeaderChain(first!, this.proof.judge);
    const { head } = this.segment;
    this.segment.extend(this.waiting.filter(({ number }) => number > head.number));
    const final = this.segment.final?.number ?? -1;
    return this.give(Math.max(0, final - next + 1));
  }

  private joined(chain: HeaderChain): Block[] | null {
    const last = this.waiting.at(-1);
    const leads = last !== undefined && brokenLink(last, chain.at(chain.floor)!) === null;
    return leads ? this.give(this.waiting.length) : this.unproved();
  }

  /** What was read leads nowhere: it is read again, from another node perhaps. */
  private unproved(): null {
    this.forget();
    return null;
  }

  /** Up to the first one that cannot be read: that is given as null once it is the next. */
  private give(most: number): Block[] {
    const unread = this.waiting.findIndex(({ owners }) => owners === null);
    const count = unread < 0 ? most : Math.min(most, unread);
    return this.waiting.splice(0, count) as Block[];
  }
}
