import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import { SlotLength } from '../../verified-chain/slot-length';
import { VerifiedChain } from '../../verified-chain/verified-chain';
import type { SaidBlock } from '../../proof/block-header';
import { ChainReads } from '../../tron/node/chain-reads';
import { ConfiguredNodes } from '../../tron/node/configured-nodes';
import { NodeUnavailableError } from '../../tron/node/node-errors';
import type { HeaderChain } from '../../proof/header-chain';

/** Readings that end within this time ask once for all. */
const GATHER_MS = 50;
/** A reading of an older block would count as older than it is. */
const RECENT_MS = 1_000;
/** A start reads a few headers below the final block: a solid view that is six minutes behind may be below them. */
const FURTHEST_BEHIND = 120;
/** So far above the newest verified block, an honest node may be ahead of those that blocks are read from, where solid is the head. */
const FEW_AHEAD = 3;
/** The first of them may be one under way that has asked before the block came, the second is not; the others take a slot of TRON's. */
const LOOKS = 8;
const BETWEEN_LOOKS_MS = 500;

interface Asked {
  last: { readonly block: SaidBlock; readonly atMs: number } | null;
  next: Promise<SaidBlock> | null;
}

/**
 * The newest block of a node's own solid view. A reading that lies between two answers of one node is of a block between them. The
 * answers are shared: any that came before a reading may be its first, any that was asked for after it its second.
 */
@Injectable()
export class SolidBlock {
  /** By node. */
  private readonly asked = new Map<string, Asked>();

  constructor(
    private readonly reads: ChainReads,
    private readonly chain: VerifiedChain,
    private readonly nodes: ConfiguredNodes,
    private readonly slots: SlotLength,
    private readonly clock: Clock,
  ) {}

  /** For the beginning of a reading. @throws NodeUnavailableError */
  async before(url: string): Promise<SaidBlock> {
    const { last } = this.of(url);
    // Not by the instance's clock: while a test has that stand, blocks come.
    if (last && performance.now() - last.atMs < RECENT_MS) return last.block;
    return this.after(url, 0);
  }

  /** For its end: the node is asked after this call. @throws NodeUnavailableError */
  after(url: string, gatherMs = GATHER_MS): Promise<SaidBlock> {
    const asked = this.of(url);
    asked.next ??= this.clock.sleep(gatherMs).then(() => {
      asked.next = null;
      return this.ask(url);
    });
    return asked.next;
  }

  /**
   * Throws when the verified chain does not have this block. Under a height that is too large, orders would count as shown by a reading
   * that does not show them; under one that is much too small, orders of long ago would be reserved once more.
   * @throws NodeUnavailableError
   */
  async require(url: string, { number, id }: SaidBlock): Promise<void> {
    const headers = await this.headersUpTo(url, number);
    if (headers.holds(number, id)) return;
    if (number >= headers.floor) throw this.doubtful(url, `solid block ${number} (${id}) is not of the verified chain`);
    const { number: final } = headers.final!;
    if (number >= final - FURTHEST_BEHIND) return;
    const fault = `solid block ${number} is far below final block ${final}`;
    // By its time as well, it is that of a node that catches up.
    if (this.nodes.isBehind('walletsolidity', url)) throw new NodeUnavailableError(`its ${fault}`);
    throw this.doubtful(url, `${fault} although it is said to be as new`);
  }

  /** A block that is on its way to the nodes that blocks are read from is waited for; of one that cannot be, no node is asked. */
  private async headersUpTo(url: string, number: number): Promise<HeaderChain> {
    let unseen: NodeUnavailableError | null = null;
    for (let look = 0; look < LOOKS && this.isAbove(number) && !this.isTooFar(number); look++) {
      if (look > 1) await this.clock.sleep(BETWEEN_LOOKS_MS);
      unseen = await this.look();
    }
    const { headers } = this.chain;
    if (headers && !this.isAbove(number)) return headers;
    if (unseen) throw unseen;
    const fault = `solid block ${number} is above the newest verified block ${headers?.head.number}`;
    throw this.isTooFar(number) ? this.doubtful(url, fault) : new NodeUnavailableError(`its ${fault}`);
  }

  /** Why it has shown nothing: one that fails may have been under way for long, and the next one finds the block. */
  private async look(): Promise<NodeUnavailableError | null> {
    try {
      await this.chain.lookShortly();
      return null;
    } catch (error) {
      if (error instanceof NodeUnavailableError) return error;
      throw error;
    }
  }

  private isAbove(number: number): boolean {
    return number > (this.chain.headers?.head.number ?? -1);
  }

  /** Further above the head than blocks can have come since that was new. */
  private isTooFar(number: number): boolean {
    const { headers, headAgeMs } = this.chain;
    return headers !== null && (number - headers.head.number - FEW_AHEAD) * this.slots.ofMs(headers) > headAgeMs;
  }

  private doubtful(url: string, fault: string): NodeUnavailableError {
    this.nodes.doubted('walletsolidity', url, fault);
    return new NodeUnavailableError(fault);
  }

  private async ask(url: string): Promise<SaidBlock> {
    const block = await this.reads.solidHead(url);
    this.of(url).last = { block, atMs: performance.now() };
    return block;
  }

  private of(url: string): Asked {
    const found = this.asked.get(url) ?? { last: null, next: null };
    this.asked.set(url, found);
    return found;
  }
}
