import { Inject, Injectable } from '@nestjs/common';
import { nextTurn } from '../../../common/concurrency/next-turn';
import { CONFIGURATION, type Configuration } from '../../../../config/configuration';
import { recordsIn } from './answer.reader';
import {
  type Belief,
  DoubtfulBlockError,
  readActs,
  readBlock,
  readHeader,
  readSaid,
  readStakeMoves,
  readTip,
  readTransactions,
  type ShownActs,
  type ShownBlock,
  readRaw,
  type ShownMoves,
  type ShownRaw,
  type UnverifiableTip,
} from './block-answer';
import type { BlockHeader, SaidBlock } from '../../proof/block-header';
import { ConfiguredNodes } from './configured-nodes';
import { NodeClient } from './node-client';
import { NodeUnavailableError } from './node-errors';
import { BLOCKS_TIMEOUT_MS, READ_TIMEOUT_MS } from './node-pool';

/** A node gives up to 100 in one answer; on a busy network so many full blocks would take longer than any time-out. */
export const MOST_BLOCKS_A_READ = 20;

type Json = Record<string, unknown>;

/** What one node shows as its newest block. */
export interface Newest {
  readonly url: string;
  readonly tip: BlockHeader | UnverifiableTip;
  readonly block: ShownBlock | null;
}

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
  newest(url: string, inFull: boolean): Promise<Newest> {
    return this.newestOf([url], inFull);
  }

  /** As `newest`, of the first of these nodes, or of the next one where that one fails or is late. */
  newestOf(urls: readonly string[], inFull: boolean): Promise<Newest> {
    const read = (json: Json, url: string) => {
      const tip = readTip(json, this.belief);
      const block = inFull && !('unverifiable' in tip) ? readTransactions(json, tip, this.belief) : null;
      return { url, tip, block };
    };
    return this.client.ask('wallet', 'getblock', { detail: inFull }, read, READ_TIMEOUT_MS, urls);
  }

  /** As `newest`, where one that cannot be verified is none: no fault of the node, which may be of a later release. */
  async newestHeader(url: string): Promise<BlockHeader> {
    const { tip } = await this.newest(url, false);
    if ('unverifiable' in tip) throw new DoubtfulBlockError(tip.unverifiable);
    return tip;
  }

  /** What the first node that answers has as solid: believed with `CHAIN_PROOF=nodes` alone. */
  async newestSolid(): Promise<SaidBlock> {
    let fault: unknown = new NodeUnavailableError('no node is configured');
    for (const url of this.nodes.urls('walletsolidity')) {
      const shown = this.client.ask('walletsolidity', 'getblock', { detail: false }, readSaid, READ_TIMEOUT_MS, url);
      const [solid] = await Promise.allSettled([shown]);
      if (solid.status === 'fulfilled') return solid.value;
      fault = solid.reason;
    }
    throw fault;
  }

  /** The header at this height, or null when the node has none. */
  headerAt(url: string, number: number): Promise<BlockHeader | null> {
    return this.ask(url, 'getblock', { id_or_num: String(number), detail: false }, (json) => {
      if (isNone(json)) return null;
      const header = readHeader(json, this.belief);
      requireHeight(header, number);
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
    return this.range(url, from, to, timeoutMs, (json) => readBlock(json, this.belief));
  }

  /** As `blocks`, with the stake that their transactions move: proved as far as the block's transactions are. */
  stakeMoves(url: string, from: number, to: number): Promise<ShownMoves[]> {
    return this.range(url, from, to, READ_TIMEOUT_MS, (json) => readStakeMoves(json, this.belief));
  }

  /** As `blocks`, with the bytes of their transactions: proved as far as the block's transactions are. */
  raw(url: string, from: number, to: number): Promise<ShownRaw[]> {
    return this.range(url, from, to, READ_TIMEOUT_MS, (json) => readRaw(json, this.belief));
  }

  /** As `blocks`, with what these accounts (`41…` in hex) do in them: proved as far as the block's transactions are. */
  acts(url: string, from: number, to: number, owners: ReadonlySet<string>): Promise<ShownActs[]> {
    return this.range(url, from, to, READ_TIMEOUT_MS, (json) => readActs(json, owners, this.belief));
  }

  private range<Shown extends ShownBlock>(
    url: string,
    from: number,
    to: number,
    timeoutMs: number,
    readOne: (json: Json) => Shown,
  ): Promise<Shown[]> {
    if (from === to) {
      const read = (json: Json) => this.consecutive(isNone(json) ? [] : [json], from, to, readOne);
      return this.ask(url, 'getblockbynum', { num: from }, read, timeoutMs);
    }
    const endNum = Math.min(to, from + MOST_BLOCKS_A_READ - 1) + 1;
    const rangeTimeoutMs = Math.min(BLOCKS_TIMEOUT_MS, (endNum - from) * READ_TIMEOUT_MS);
    const read = (json: Json) =>
      this.consecutive(isNone(json) ? [] : recordsIn(json, 'block'), from, endNum - 1, readOne);
    return this.ask(url, 'getblockbylimitnext', { startNum: from, endNum }, read, rangeTimeoutMs);
  }

  /** The blocks that this node shows do not fit each other. Each of them was read without a fault, so nothing has counted it yet. */
  doubted(url: string, fault: DoubtfulBlockError): void {
    this.nodes.doubted('wallet', url, fault.reason);
  }

  /** What this node shows does not fit the chain: perhaps it was exchanged for one of another chain. @throws NodeUnavailableError then */
  requireSameChain(url: string): Promise<void> {
    return this.nodes.verifyNode('wallet', url);
  }

  private ask<T>(
    url: string,
    route: string,
    body: Json,
    read: (json: Json) => T | Promise<T>,
    timeoutMs = READ_TIMEOUT_MS,
  ) {
    return this.client.ask('wallet', route, body, read, timeoutMs, url);
  }

  /** Known once a node has been asked for anything: its genesis block is compared first. */
  private get belief(): Belief {
    return { believe: this.believeNodes, genesisId: this.nodes.genesisId };
  }

  /**
   * A block twice, out of its order or of another height is none that was asked for. Hashing blocks takes longer than parsing them:
   * others have their turns in between. @throws DoubtfulBlockError
   */
  private async consecutive<Shown extends ShownBlock>(
    shown: readonly Json[],
    from: number,
    to: number,
    readOne: (json: Json) => Shown,
  ): Promise<Shown[]> {
    if (shown.length > to - from + 1) throw new DoubtfulBlockError(`more blocks are shown than ${from} to ${to}`);
    const blocks: Shown[] = [];
    for (const [at, json] of shown.entries()) {
      const block = readOne(json);
      requireHeight(block.header, from + at);
      blocks.push(block);
      await nextTurn();
    }
    return blocks;
  }
}

function requireHeight({ number }: BlockHeader, asked: number): void {
  if (number !== asked) throw new DoubtfulBlockError(`block ${number} was shown as block ${asked}`);
}

/** What a node answers that does not have the block. */
function isNone(json: Json): boolean {
  return Object.keys(json).length === 0;
}
