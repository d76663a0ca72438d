import type { Configuration } from '../../config/configuration';
import type { NodeEndpoints } from '../chain/tron/node/node-endpoints';
import { openDatabase, openExistingDatabase } from '../database/open-database';
import { findEndpoint, type LocalChainAccount } from '../seed/local-chain.endpoint';
import { type LocalChain, startLocalChain } from '../seed/local-chain.process';
import type { Infrastructure } from './infrastructure.module';

export interface StartedInfrastructure extends Infrastructure {
  /** For people. */
  readonly descriptions: { readonly database: string; readonly chain: string };
  /** The local chain's accounts; empty without one. */
  readonly chainAccounts: readonly LocalChainAccount[];
  close(): Promise<void>;
}

/** Finds or starts the service's infrastructure. */
export async function startForService(configuration: Configuration): Promise<StartedInfrastructure> {
  const database = await openDatabase(configuration);
  let chain: LocalChain | null = null;
  try {
    chain = configuration.localChain.enabled ? await startLocalChain(configuration) : null;
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    configuration,
    databaseUrl: database.url,
    nodes: chain ? only(chain.url) : configuration.nodes,
    descriptions: { database: database.description, chain: describeChain(configuration, chain) },
    chainAccounts: chain?.accounts ?? [],
    async close() {
      await chain?.stop();
      await database.close();
    },
  };
}

/**
 * The same for the command line, which finds what a service has made and makes nothing: no embedded database, and no local chain, whose
 * blocks would end with the command.
 */
export async function startForCommandLine(configuration: Configuration): Promise<StartedInfrastructure> {
  const database = await openExistingDatabase(configuration);
  const chain = configuration.localChain.enabled ? findEndpoint(configuration.dataDir) : null;
  const absent = {
    fullNodeUrls: [],
    solidityNodeUrls: [],
    absence: 'the local chain runs only with the service: run npm start',
  };
  const given = configuration.localChain.enabled ? absent : configuration.nodes;
  return {
    configuration,
    databaseUrl: database.url,
    nodes: chain ? only(chain.url) : given,
    descriptions: { database: database.description, chain: describeChain(configuration, chain) },
    chainAccounts: chain?.accounts ?? [],
    close: () => database.close(),
  };
}

function only(url: string): NodeEndpoints {
  return { fullNodeUrls: [url], solidityNodeUrls: [url] };
}

function describeChain({ nodes, localChain }: Configuration, chain: { url: string } | null): string {
  if (chain) return `local chain at ${chain.url}, a block every ${localChain.blockMs / 1000} s`;
  const hosts = nodes.fullNodeUrls.map((url) => new URL(url).host);
  return localChain.enabled ? 'local chain, not running' : hosts.join(', ');
}
