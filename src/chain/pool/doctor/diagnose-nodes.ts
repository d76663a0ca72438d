import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../../config/configuration';
import { Clock } from '../../../common/clock';
import { readHeader as readProvenHeader } from '../../tron/node/block-answer';
import { longestWaitMs } from '../../tron/node/call-priority';
import { ChainIdentityRepository } from '../../tron/node/chain-identity.repository';
import { NodeConnections } from '../../tron/node/node-connections';
import { NODE_ENDPOINTS, type NodeEndpoints } from '../../tron/node/node-endpoints';
import { NodeUnavailableError } from '../../tron/node/node-errors';
import { postJson, type HttpReply } from '../../tron/node/node-http';
import { nodeNames } from '../../tron/node/node-names';
import { READ_TIMEOUT_MS, type NodeKind } from '../../tron/node/node-pool';
import type { Diagnosis } from './diagnosis';

/** A head older than this by our clock: the node has stopped following the chain, or one of the clocks is off. */
const HEAD_AGE_MS = 60_000;
/** 20 blocks are usual, 60 seconds; much more and nothing becomes final in time. */
const SOLID_LAG_BLOCKS = 60;
/** How a full node answers `walletsolidity` on the port of `wallet`. */
const NOT_SERVED = /^HTTP 40[45]$/;
const NOBODY = `41${'0'.repeat(40)}`;

type Json = Record<string, unknown>;

/** Asks each URL separately: fail-over would hide what is wrong with one of them. */
@Injectable()
export class DiagnoseNodes {
  constructor(
    @Inject(NODE_ENDPOINTS) private readonly endpoints: NodeEndpoints,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly identity: ChainIdentityRepository,
    private readonly clock: Clock,
    private readonly connections: NodeConnections,
  ) {}

  /** Findings name a node as `nodeNames` does: they are printed, and kept as JSON. */
  async run(): Promise<Diagnosis[]> {
    if (this.endpoints.fullNodeUrls.length === 0) {
      return [
        finding(
          'no_node',
          'nodes',
          this.endpoints.absence ?? 'no node is configured',
          'Set TRON_FULL_NODE_URLS, or start the service for the local chain.',
        ),
      ];
    }
    const { fullNodeUrls, solidityNodeUrls } = this.endpoints;
    const nameOf = nodeNames([...fullNodeUrls, ...solidityNodeUrls]);
    return (await this.ofEach()).map(({ subject: url, ...rest }) => ({ ...rest, subject: nameOf(url) }));
  }

  /** By the whole URL. */
  private async ofEach(): Promise<Diagnosis[]> {
    const remembered = await this.identity.find();
    const found: Diagnosis[] = [];
    const heads: number[] = [];
    for (const url of this.endpoints.fullNodeUrls) {
      found.push(...(await this.network(url, 'wallet', remembered)), ...(await this.head(url, heads, remembered)));
    }
    for (const url of this.endpoints.solidityNodeUrls) {
      const notServed = await this.notServed(url);
      if (notServed) {
        found.push(notServed);
        continue;
      }
      found.push(
        ...(await this.network(url, 'walletsolidity', remembered)),
        ...(await this.solid(url, Math.max(...heads))),
      );
    }
    return found;
  }

  /** The most common fault with a node of one's own; every other finding about that URL would follow from it. */
  private async notServed(url: string): Promise<Diagnosis | null> {
    const reply = await this.post(url, 'walletsolidity', 'getblockbynum', { num: 0 });
    if (reply.kind !== 'unknown' || !NOT_SERVED.test(reply.reason)) return null;
    return finding(
      'solidity_not_served',
      url,
      `it answers ${reply.reason} to walletsolidity`,
      'A java-tron full node serves it on a port of its own, by default 8091: name that in TRON_SOLIDITY_NODE_URLS.',
    );
  }

  private async network(url: string, kind: NodeKind, remembered: string | null): Promise<Diagnosis[]> {
    const genesis = (await this.ask(url, kind, 'getblockbynum', { num: 0 }))?.['blockID'];
    if (typeof genesis !== 'string') {
      return [
        finding(
          'node_unreachable',
          url,
          `${kind}/getblockbynum gives no block`,
          'Check the address, the firewall, the API key, and that the node serves this API.',
        ),
      ];
    }
    if (remembered === null || genesis === remembered) return [];
    return [
      finding(
        'wrong_network',
        url,
        `its genesis block is ${genesis}, the database belongs to ${remembered}`,
        'Point the service to a node of its own network, or give this network a database of its own.',
      ),
    ];
  }

  private async head(url: string, heads: number[], remembered: string | null): Promise<Diagnosis[]> {
    const block = await this.ask(url, 'wallet', 'getblock', { detail: false });
    const header = readHeader(block);
    if (!header) return [];
    heads.push(header.number);
    const found = this.configuration.nodes.proof === 'signatures' ? unverifiable(url, block!, remembered) : [];
    const ageMs = this.clock.now().getTime() - header.timeMs;
    if (Math.abs(ageMs) <= HEAD_AGE_MS) return found;
    return [
      ...found,
      finding(
        'clock_or_node_behind',
        url,
        `its newest block is ${Math.round(ageMs / 1000)} s from this machine's clock`,
        'Compare this machine with a time server; if it is right, the node is behind or has stopped.',
      ),
    ];
  }

  private async solid(url: string, head: number): Promise<Diagnosis[]> {
    const found: Diagnosis[] = [];
    const header = readHeader(await this.ask(url, 'walletsolidity', 'getblock', { detail: false }));
    if (header && head - header.number > SOLID_LAG_BLOCKS) {
      found.push(
        finding(
          'solidity_behind',
          url,
          `its newest solid block is ${head - header.number} blocks behind the head`,
          'Wait until the node has caught up, or use another one: orders settle late until then.',
        ),
      );
    }
    const index = await this.ask(url, 'walletsolidity', 'getdelegatedresourceaccountindexv2', { value: NOBODY });
    if (index === null) {
      found.push(
        finding(
          'node_without_index',
          url,
          'it does not answer getdelegatedresourceaccountindexv2',
          'Use a full node that serves the delegation index: audit needs it.',
        ),
      );
    }
    return found;
  }

  private async ask(url: string, kind: NodeKind, route: string, body: Json): Promise<Json | null> {
    const reply = await this.post(url, kind, route, body);
    const value = reply.kind === 'json' ? reply.value : null;
    return value !== null && typeof value === 'object' && !('Error' in value) ? (value as Json) : null;
  }

  /** A node that wants fewer calls is asked again: the service may be using up what it allows. */
  private async post(url: string, kind: NodeKind, route: string, body: Json): Promise<HttpReply> {
    const target = `${url}/${kind}/${route}`;
    const endMs = performance.now() + longestWaitMs('quotes');
    for (;;) {
      const call = () => postJson(target, body, this.configuration.nodes.apiKey, READ_TIMEOUT_MS);
      const reply = await this.connections.run(target, 'quotes', call);
      if (reply.kind !== 'limited' || performance.now() > endMs) return reply;
    }
  }
}

/** Nothing is concluded from headers whose ids or signatures cannot be computed. */
function unverifiable(url: string, block: Json, genesisId: string | null): Diagnosis[] {
  let reason = 'its newest header has no signature that can be read';
  try {
    if (readProvenHeader(block, { genesisId }).signer !== null) return [];
  } catch (error) {
    reason = error instanceof NodeUnavailableError ? error.reason : String(error);
  }
  return [
    finding(
      'headers_unverifiable',
      url,
      reason,
      'Update the service, which does not know this kind of header. Until then CHAIN_PROOF=nodes believes what nodes say, without proof.',
    ),
  ];
}

function readHeader(block: Json | null): { number: number; timeMs: number } | null {
  const raw = (block?.['block_header'] as { raw_data?: Json } | undefined)?.raw_data;
  return raw ? { number: Number(raw['number'] ?? 0), timeMs: Number(raw['timestamp'] ?? 0) } : null;
}

function finding(kind: string, subject: string, reason: string, next_step: string): Diagnosis {
  return { kind, subject, reason, next_step };
}
