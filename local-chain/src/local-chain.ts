import { BlockTimer } from './block.timer';
import { ChainNode } from './chain/chain.node';
import { publishedAccounts, type PublishedAccount } from './genesis.accounts';
import { serveChain } from './http/http.server';
import { ChainDatabase } from './state/chain.database';
import { VIEW_LAG, witnessesFor } from './witnesses/finality';

export interface LocalChainOptions {
  /** 0, or none: a free port. */
  port?: number;
  /** Time between blocks; `manual`: only when asked for by `control/block`. */
  block?: number | 'manual';
  /** How many make blocks in turn; 27 when neither this nor `solidLag` is given. */
  witnesses?: number | undefined;
  /** In place of `witnesses`: as many as put `walletsolidity/*` so many blocks behind the head. */
  solidLag?: number | undefined;
  /** Where the state is kept; without it, it ends with the chain. */
  data?: string;
  control?: boolean;
  /** HTTP connections served at a time; further ones hang until one is closed. 0: no limit. */
  connections?: number;
  /** The pool's, in whole TRX; a chain that is kept has what it began with. */
  bandwidthStakeTrx?: number;
  /** The network's, by java-tron's numbers of proposals. */
  parameters?: Readonly<Record<number, bigint>>;
}

export interface LocalChain {
  url: string;
  accounts: PublishedAccount[];
  close(): Promise<void>;
}

export const DEFAULT_BLOCK_MS = 3_000;
export const DEFAULT_WITNESSES = 27;
/** java-tron's. */
export const DEFAULT_CONNECTIONS = 50;

/** Less than two blocks behind the head is nothing that witnesses can give: then the view alone is nearer. */
function rosterOf({ witnesses, solidLag }: LocalChainOptions): { witnesses: number; solidLag?: number } {
  if (solidLag === undefined) return { witnesses: witnesses ?? DEFAULT_WITNESSES };
  if (witnesses !== undefined) throw new Error('witnesses and solidLag are two ways to say the same: give one');
  return { witnesses: witnessesFor(solidLag), ...(solidLag < VIEW_LAG ? { solidLag } : {}) };
}

/** A chain begins with a block of its own beside genesis, whose time is 0: from then on it tells the time. */
export async function startLocalChain(options: LocalChainOptions = {}): Promise<LocalChain> {
  const { port = 0, block = DEFAULT_BLOCK_MS, data, control = false } = options;
  const { connections = DEFAULT_CONNECTIONS, bandwidthStakeTrx, parameters } = options;
  const node = new ChainNode(new ChainDatabase(data), { ...rosterOf(options), bandwidthStakeTrx });
  try {
    if (parameters) node.setParameters(parameters);
    if (node.head.height === 0) node.produceBlock();
    const server = await serveChain(node, { port, control, connections });
    const timer = block === 'manual' ? undefined : new BlockTimer(block, () => node.reachSlot());
    let closing: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      timer?.stop();
      await server.close();
      node.close();
    };
    return { url: server.url, accounts: publishedAccounts(), close: () => (closing ??= close()) };
  } catch (error) {
    node.close();
    throw error;
  }
}
