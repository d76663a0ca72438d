import type { Block, BlockHeader, ShownBlock } from '../node/block-answer';
import { BlockReads, MOST_BLOCKS_A_READ } from '../node/block-reads';
import { brokenLink, HeaderChain } from '../proof/header-chain';
import type { ChainProof } from './chain-proof';

/**
 * Blocks from before the verified chain begins, of a pause. They prove themselves: each is final once enough witnesses have built on it
 * in the blocks after it, or once they lead to the verified chain.
 */
export class OldBlocks {
  private segment: HeaderChain | null = null;
  /** Read and not given out yet: nothing proves so far that they are final. */
  private waiting: Block[] = [];
  /** From the next block on, given out or not: what has been built on it. */
  private readonly headers = new Map<number, BlockHeader>();

  constructor(
    private readonly reads: BlockReads,
    private readonly proof: ChainProof,
  ) {}

  forget(): void {
    this.segment = null;
    this.waiting = [];
    this.headers.clear();
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
    const from = next + this.waiting.length;
    if (from >= chain.floor) return this.joined(chain);
    const to = Math.min(chain.floor - 1, from + MOST_BLOCKS_A_READ - 1);
    const faults: unknown[] = [];
    for (const url of this.reads.urls) {
      const shown = await this.reads.blocks(url, from, to).catch((error: unknown) => {
        faults.push(error);
        return [];
      });
      if (this.add(shown, from)) return this.proved(next);
    }
    if (faults.length > 0 && faults.length === this.reads.urls.length) throw faults[0];
    return this.waiting.length > 0 ? this.unproved() : null;
  }

  /** False when not even the first of these links to what is there, or makes its root. */
  private add(shown: readonly ShownBlock[], from: number): boolean {
    let added = false;
    for (const { header, body } of shown) {
      const last = this.waiting.at(-1) ?? this.segment?.head;
      if (!body || header.number !== (last ? last.number + 1 : from) || (last && brokenLink(last, header))) break;
      this.waiting.push({ ...header, ...body });
      this.headers.set(header.number, header);
      added = true;
    }
    return added;
  }

  private proved(next: number): Block[] {
    const [first] = this.waiting;
    this.segment ??= new HeaderChain(first!, this.proof.judge);
    const { head } = this.segment;
    this.segment.extend(this.waiting.filter(({ number }) => number > head.number));
    const final = this.segment.final?.number ?? -1;
    const count = Math.max(0, final - next + 1);
    return this.waiting.splice(0, count);
  }

  private joined(chain: HeaderChain): Block[] | null {
    const last = this.waiting.at(-1);
    const leads = last !== undefined && brokenLink(last, chain.at(chain.floor)!) === null;
    return leads ? this.waiting.splice(0) : this.unproved();
  }

  /** What was read leads nowhere: it is read again, from another node perhaps. */
  private unproved(): null {
    this.forget();
    return null;
  }
}
