import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { type BlockHeader, DoubtfulBlockError, readBlock, readHeader, type ShownBlock } from './block-answer';
import { ConfiguredNodes } from './configured-nodes';
import { NodeClient } from './node-client';
import { NodeUnavailableError } from './node-errors';
import { BLOCKS_TIMEOUT_MS, READ_TIMEOUT_MS } from './node-pool';

/** A node gives up to 100 in one answer; on a busy network so many full blocks would take longer than any time-out. */
export const MOST_BLOCKS_A_READ = 20;

type Json = Record<string, unknown>;

/** Blocks and headers of one node at a time. Every method throws NodeUnavailableError. */
@Injectable()
export class BlockReads {
  private readonly believeNodes: boolean;

  constructor(
    private readonly client: NodeClient,
    private readonly nodes: ConfiguredNodes,
    @Inject(CONFIGURATION) configuration: Configuration,
  ) {
    this.believeNodes = configuration.nodes.proof === 'nodes';
  }

  /** The nodes that show blocks, in the order in which they are used. */
  get urls(): string[] {
    return this.nodes.urls('wallet');
  }

  /** All that are configured. */
  get allUrls(): string[] {
    return this.nodes.allUrls('wallet');
  }

  /** The newest block: in full, or its header alone. */
  newest(url: string, inFull: boolean): Promise<{ header: BlockHeader; block: ShownBlock | null }> {
    return this.ask(url, 'getblock', { detail: inFull }, (json) => {
      const block = inFull ? this.block(json) : null;
      return { header: block?.header ?? this.header(json), block };
    });
  }

  /** What the first node that answers has as solid: believed with `CHAIN_PROOF=nodes` alone. */
  async newestSolid(): Promise<BlockHeader> {
    let fault: unknown = new NodeUnavailableError('no node is configured');
    for (const url of this.nodes.urls('walletsolidity')) {
      const read = (json: Json) => readHeader(json, true);
      const shown = this.client.ask('walletsolidity', 'getblock', { detail: false }, read, READ_TIMEOUT_MS, url);
      const [solid] = await Promise.allSettled([shown]);
      if (solid.status === 'fulfilled') return solid.value;
      fault = solid.reason;
    }
    throw fault;
  }

  /** The header at this height, or null when the node has none. */
  headerAt(url: string, number: number): Promise<BlockHeader | null> {
    return this.ask(url, 'getblock', { id_or_num: String(number), detail: false }, (json) => {
      if (json['blockID'] === undefined) return null;
      const header = this.header(json);
      if (header.number !== number) throw new DoubtfulBlockError(`block ${header.number} was shown as block ${number}`);
      return header;
    });
  }

  /** Whether any node shows its newest header. */
  async isAnyThere(): Promise<boolean> {
    const heads = await Promise.allSettled(this.urls.map((url) => this.newest(url, false)));
    return heads.some(({ status }) => status === 'fulfilled');
  }

  /**
   * Blocks `from` to `to`, both included, in order; shorter when the node does not have them all, and after 20. `timeoutMs` is a single
   * block's: several take longer in any case.
   */
  blocks(url: string, from: number, to: number, timeoutMs = READ_TIMEOUT_MS): Promise<ShownBlock[]> {
    if (from === to) {
      const read = (json: Json) => (json['blockID'] === undefined ? [] : [this.block(json)]);
      return this.ask(url, 'getblockbynum', { num: from }, read, timeoutMs);
    }
    const endNum = Math.min(to, from + MOST_BLOCKS_A_READ - 1) + 1;
    const read = ({ block }: Json) => (Array.isArray(block) ? block.map((json: Json) => this.block(json)) : []);
    const rangeTimeoutMs = Math.min(BLOCKS_TIMEOUT_MS, (endNum - from) * READ_TIMEOUT_MS);
    return this.ask(url, 'getblockbylimitnext', { startNum: from, endNum }, read, rangeTimeoutMs);
  }

  /** What this node shows does not fit the chain: perhaps it was exchanged for one of another chain. @throws NodeUnavailableError then */
  requireSameChain(url: string): Promise<void> {
    return this.nodes.verifyNode('wallet', url);
  }

  private ask<T>(url: string, route: string, body: Json, read: (json: Json) => T, timeoutMs = READ_TIMEOUT_MS) {
    return this.client.ask('wallet', route, body, read, timeoutMs, url);
  }

  private header(json: Json): BlockHeader {
    return readHeader(json, this.believeNodes);
  }

  private block(json: Json): ShownBlock {
    return readBlock(json, this.believeNodes);
  }
}
