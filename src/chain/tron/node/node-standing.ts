import { Injectable } from '@nestjs/common';
import { readSaid } from './block-answer';
import type { SaidBlock } from '../../proof/block-header';
import { ConfiguredNodes } from './configured-nodes';
import { NodeClient } from './node-client';
import { NodeUnavailableError } from './node-errors';
import { type NodeKind, READ_TIMEOUT_MS } from './node-pool';

/** Further behind than both, a node stands still or is catching up, and is not merely a moment late. */
const BEHIND_BLOCKS = 3;
const BEHIND_MS = 10_000;

interface Best {
  readonly head: SaidBlock;
  readonly final: SaidBlock;
}

/**
 * Which nodes keep up with the best verified chain that any of them has shown. A node that does not is out of use for everything
 * (broadcasts above all: it would accept bytes and relay them to no other node) until it has caught up, unless all others are out of use
 * too.
 */
@Injectable()
export class NodeStanding {
  private best: Best | null = null;
  /** By node, the newest block of its that was believed; of one that has shown none, the best when it was first seen. */
  private readonly believed = new Map<string, SaidBlock>();

  constructor(
    private readonly client: NodeClient,
    private readonly nodes: ConfiguredNodes,
  ) {}

  /** Before any node is used for anything else, this shows them their places. */
  compareFirst(compare: () => Promise<unknown>, longestWaitMs: number): void {
    this.client.compareFirst(compare, longestWaitMs);
  }

  /** What every other node is compared with from now on. */
  know(best: Best): void {
    this.best = best;
  }

  /**
   * A node has shown this as its newest block. While the block that it shows is not believed (null), it stands at its last block that was
   * believed.
   */
  headOf(url: string, head: SaidBlock | null): void {
    if (!this.best) return;
    const shown = head ?? this.believed.get(url) ?? this.best.head;
    this.believed.set(url, shown);
    const behind = isBehind(shown, this.best.head);
    const blocks = this.best.head.number - shown.number;
    // What the same node has solid stands still too, until that itself has been looked at.
    if (behind && !this.nodes.isBehind('wallet', url)) this.nodes.setBehind('walletsolidity', url, true, blocks);
    this.nodes.setBehind('wallet', url, behind, blocks);
  }

  /** A node has shown this as its newest solid block. @throws NodeUnavailableError when it is behind and another one is not */
  solidOf(url: string, solid: SaidBlock): void {
    if (!this.best) return;
    const behind = isBehind(solid, this.best.final);
    this.nodes.setBehind('walletsolidity', url, behind, this.best.final.number - solid.number);
    const others = this.nodes.urls('walletsolidity').filter((other) => other !== url);
    if (behind && others.some((other) => !this.nodes.isBehind('walletsolidity', other)))
      throw new NodeUnavailableError(`its solid block ${solid.number} is behind`);
  }

  /** Asks the nodes that are behind or slow for their solid head, to see whether they have caught up: no reading asks them meanwhile. */
  async lookAtSolid(): Promise<void> {
    for (const url of this.nodes.left('walletsolidity')) {
      const read = (json: Record<string, unknown>) => this.solidOf(url, readSaid(json));
      await this.client
        .ask('walletsolidity', 'getblock', { detail: false }, read, READ_TIMEOUT_MS, url)
        .catch(() => undefined);
    }
  }

  /** The nodes out of use, to look whether they have caught up. */
  behind(kind: NodeKind): string[] {
    return this.nodes.allUrls(kind).filter((url) => this.nodes.isBehind(kind, url));
  }
}

function isBehind(shown: SaidBlock, best: SaidBlock): boolean {
  return best.number - shown.number > BEHIND_BLOCKS && best.timeMs - shown.timeMs > BEHIND_MS;
}
