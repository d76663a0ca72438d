import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { ChainIdentity } from '../../chain/tron/node/chain-identity.entity';
import { NODE_ENDPOINTS, type NodeEndpoints } from '../../chain/tron/node/node-endpoints';
import { ADDRESS, TXID } from '../search/search-text';

/** By the genesis block of the chain. */
const EXPLORERS: Readonly<Record<string, string>> = {
  '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc': 'https://tronscan.org/#/',
  '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc': 'https://nile.tronscan.org/#/',
  '0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e': 'https://shasta.tronscan.org/#/',
};
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Where people look a transaction up. */
@Injectable()
export class BlockExplorer {
  private base: string | null | undefined;

  constructor(
    private readonly em: EntityManager,
    @Inject(NODE_ENDPOINTS) private readonly nodes: NodeEndpoints,
  ) {}

  /** The URL that a txid is appended to; null on a chain without an explorer. */
  async transactionUrl(): Promise<string | null> {
    const explorer = await this.explorerUrl();
    if (explorer === undefined) return null;
    return explorer === null ? this.ownNode() : `${explorer}transaction/`;
  }

  /** Where any txid or address is looked up, ours or not; null for anything else. */
  async urlOf(text: string): Promise<string | null> {
    const txId = TXID.exec(text)?.[1]?.toLowerCase();
    const transactions = await this.transactionUrl();
    if (txId !== undefined) return transactions && `${transactions}${txId}`;
    const explorer = await this.explorerUrl();
    return explorer && ADDRESS.test(text) ? `${explorer}address/${text}` : null;
  }

  /** Null on a chain without one; undefined while the chain is not known. */
  private async explorerUrl(): Promise<string | null | undefined> {
    if (this.base !== undefined) return this.base;
    const chain = await this.em.fork().findOne(ChainIdentity, { id: 1 });
    if (!chain) return undefined;
    this.base = EXPLORERS[chain.genesisBlockId] ?? null;
    return this.base;
  }

  /** The local chain has no explorer, but its node answers for a transaction. */
  private ownNode(): string | null {
    const [url] = this.nodes.fullNodeUrls;
    if (url === undefined || !LOOPBACK.has(new URL(url).hostname)) return null;
    // Customers see it: a key may stand in the user name or the path.
    return `${new URL(url).origin}/wallet/gettransactionbyid?value=`;
  }
}
