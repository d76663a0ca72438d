import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { VerifiedChain } from '../follower/verified-chain';
import type { SaidBlock } from '../node/block-answer';
import { ChainReads } from '../node/chain-reads';
import { ConfiguredNodes } from '../node/configured-nodes';
import { NodeUnavailableError } from '../node/node-errors';

/** Readings that end within this time ask once for all. */
const GATHER_MS = 50;
/** Of an older one the reading would count as older than it is. */
const RECENT_MS = 1_000;
/** A start reads a few headers below the final block: a solid view that is six minutes behind may be below them. */
const FURTHEST_BEHIND = 120;

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
   * Throws when this is no block of the verified chain. Under a height that is too large, orders would count as shown by a reading that
   * does not show them; under one that is much too small, orders of long ago would be reserved once more.
   * @throws NodeUnavailableError
   */
  async require(url: string, { number, id }: SaidBlock): Promise<void> {
    if (number > (this.chain.headers?.head.number ?? -1)) await this.chain.lookShortly();
    const { headers } = this.chain;
    if (!headers || number > headers.head.number)
      throw new NodeUnavailableError(`its solid block ${number} is above the newest verified block`);
    if (headers.holds(number, id)) return;
    if (number >= headers.floor) {
      const fault = `solid block ${number} (${id}) is not of the verified chain`;
      this.nodes.doubted('walletsolidity', url, fault);
      throw new NodeUnavailableError(fault);
    }
    if (number < headers.final!.number - FURTHEST_BEHIND)
      throw new NodeUnavailableError(`its solid block ${number} is far below final block ${headers.final!.number}`);
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
