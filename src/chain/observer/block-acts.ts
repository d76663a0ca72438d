import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import type { ShownActs } from '../tron/node/block-answer';
import type { BlockHeader } from '../proof/block-header';
import { BlockReads, MOST_BLOCKS_A_READ } from '../tron/node/block-reads';
import { NodeUnavailableError } from '../tron/node/node-errors';
import { ChainTransactionRepository } from '../transactions/outbox/chain-transaction.repository';
import type { AccountAct } from '../proof/account-act';
import { VerifiedChain } from '../verified-chain/verified-chain';

/** What either of them shows counts: a block's body is proved by its header, and where it is not (`CHAIN_PROOF=nodes`), one of them may hide something. */
const NODES_ASKED = 2;
/** A node's solid view may be a little ahead of what is final here. */
const LOOKS = 10;
const BETWEEN_LOOKS_MS = 500;

/** An act, in a final block, of one of the accounts that are looked for. */
export interface FoundAct extends AccountAct {
  readonly txId: string;
  readonly block: number;
  readonly timeMs: number;
}

/** Final blocks from the top down, each proved by the one above: its id is that block's parent. */
export class ActSearch {
  /** By txid. */
  readonly acts = new Map<string, FoundAct>();
  /** How many blocks no node shows in full as the chain has them. */
  unread = 0;
  /** Height of the next block to be read. */
  number: number;
  id: string;
  /** No node has the next block. */
  isEnd = false;
  /** When the lowest block that was read came. */
  lowestMs: number;

  /** @param floor the lowest block that is of interest @param owners `41…` in hex */
  constructor(
    readonly top: BlockHeader,
    public floor: number,
    readonly owners: ReadonlySet<string>,
  ) {
    ({ number: this.number, id: this.id, timeMs: this.lowestMs } = top);
  }

  get isOver(): boolean {
    return this.isEnd || this.number < this.floor;
  }

  /** How many blocks were not looked at. */
  get left(): number {
    return Math.max(0, this.number - this.floor + 1);
  }

  keep({ header, acts }: ShownActs): void {
    for (const [txId, act] of acts) this.acts.set(txId, { ...act, txId, block: header.number, timeMs: header.timeMs });
  }

  goByUnread(header: BlockHeader): void {
    this.unread++;
    this.goBelow(header);
  }

  goBelow({ number, parentId, timeMs }: BlockHeader): void {
    [this.number, this.id, this.lowestMs] = [number - 1, parentId, timeMs];
  }
}

/** What accounts did, by the bytes of final blocks. */
@Injectable()
export class BlockActs {
  constructor(
    private readonly reads: BlockReads,
    private readonly chain: VerifiedChain,
    private readonly transactions: ChainTransactionRepository,
    private readonly clock: Clock,
  ) {}

  /** The newest final block, at least as high as this one. @throws NodeUnavailableError */
  async finalFrom(number: number): Promise<BlockHeader> {
    for (let look = 0; look < LOOKS; look++) {
      const { final } = this.chain.headers?.final && look === 0 ? this.chain.tips() : await this.chain.lookShortly();
      if (final.number >= number) return final;
      await this.clock.sleep(BETWEEN_LOOKS_MS);
    }
    throw new NodeUnavailableError(`block ${number} is not final yet`);
  }

  /** The chain may be on another branch now, which an operator has accepted. */
  isStill({ top: { number, id } }: ActSearch): boolean {
    const { headers } = this.chain;
    return !headers || number < headers.floor || headers.holds(number, id);
  }

  /** Those of these acts that the outbox does not know, the oldest first. */
  async foreign(acts: readonly FoundAct[]): Promise<FoundAct[]> {
    const ours = await this.transactions.findKnown(acts.map(({ txId }) => txId));
    return acts.filter(({ txId }) => !ours.has(txId)).toSorted((one, other) => one.block - other.block);
  }

  /** Goes on until it is over, or until then. */
  async read(search: ActSearch, untilMs: number, signal?: AbortSignal): Promise<void> {
    while (!search.isOver && this.clock.monotonicMs() < untilMs) {
      signal?.throwIfAborted();
      await this.readDown(search);
    }
  }

  private async readDown(search: ActSearch): Promise<void> {
    const { number, id, owners } = search;
    const from = Math.max(search.floor, number - MOST_BLOCKS_A_READ + 1);
    let lowest: BlockHeader | null = null;
    let shownBy = 0;
    const { urls } = this.reads;
    for (const url of urls) {
      const shown = await this.reads.acts(url, from, number, owners).catch((): ShownActs[] => []);
      const blocks = linked(shown, id);
      for (const block of blocks) search.keep(block);
      const last = blocks.at(-1)?.header;
      if (last && (lowest === null || last.number < lowest.number)) lowest = last;
      if (last?.number === from) shownBy++;
      if (shownBy === Math.min(NODES_ASKED, urls.length)) break;
    }
    if (lowest) search.goBelow(lowest);
    else await this.goBy(search);
  }

  /**
   * No node shows what is in this block as the chain has it: its header leads on. Not while a node is away, which may have it; what a
   * node shows of a range may have failed for another block of it.
   */
  private async goBy(search: ActSearch): Promise<void> {
    const { number, id, owners } = search;
    let above: BlockHeader | null = null;
    let failed = false;
    for (const url of this.reads.urls) {
      const [shown] = linked(await this.reads.acts(url, number, number, owners).catch((): ShownActs[] => []), id);
      if (shown) {
        search.keep(shown);
        search.goBelow(shown.header);
        return;
      }
      const header = await this.reads.headerAt(url, number).catch(() => {
        failed = true;
        return null;
      });
      if (header?.id === id) above = header;
    }
    if (failed) throw new NodeUnavailableError(`block ${number} could not be read from every node`);
    if (above) search.goByUnread(above);
    else search.isEnd = true;
  }
}

function linked(shown: readonly ShownActs[], id: string): ShownActs[] {
  const blocks: ShownActs[] = [];
  for (const block of shown.toReversed()) {
    if (block.header.id !== (blocks.at(-1)?.header.parentId ?? id) || !block.body) break;
    blocks.push(block);
  }
  return blocks;
}
