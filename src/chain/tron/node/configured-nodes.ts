import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../../config/configuration';
import { Clock } from '../../../common/clock';
import { CrashPoints } from '../../../common/crash-points';
import { nodeFaults, type NodeFault } from '../../../common/telemetry-channels';
import { patience } from './call-priority';
import { GenesisCheck } from './genesis-check';
import { NodeConnections } from './node-connections';
import { NODE_ENDPOINTS, type NodeEndpoints } from './node-endpoints';
import { NodeUnavailableError } from './node-errors';
import { isFault, type HttpReply } from './node-http';
import { NODE_KINDS, NodePool, READ_TIMEOUT_MS, type NodeKind, type NodeState } from './node-pool';
import { NodeTimes } from './node-times';

const FAILING_MS = 10_000;
/** A node that lies does so with every block. */
const DOUBTS_LOGGED_EVERY_MS = 60_000;

/** A configured node, as this process has seen it. */
export interface NodeStandingView {
  readonly kind: NodeKind;
  readonly url: string;
  /** Set aside until it has caught up. */
  readonly behind: boolean;
  readonly behindBlocks: number | null;
  readonly behindSince: Date | null;
  /** Asked after the others. */
  readonly slow: boolean;
  readonly lastFault: string | null;
  /** Not asked for a while because of its last fault. */
  readonly resting: boolean;
  /**
   * The node has failed for some seconds, more than once, and is not asked for a while. A single failed call changes nothing: the next one
   * goes to another node.
   */
  readonly failing: boolean;
}

/** Which nodes there are, which of them may be used, and how each has done; none of another chain is used. */
@Injectable()
export class ConfiguredNodes {
  private readonly logger = new Logger(ConfiguredNodes.name);
  private readonly pools: Readonly<Record<NodeKind, NodePool>>;
  /** By URL. */
  private readonly doubtedAtMs = new Map<string, number>();
  /** Why there is none to ask, when there is none. */
  readonly absence: string;

  constructor(
    @Inject(NODE_ENDPOINTS) endpoints: NodeEndpoints,
    @Inject(CONFIGURATION) configuration: Configuration,
    connections: NodeConnections,
    times: NodeTimes,
    private readonly genesis: GenesisCheck,
    private readonly clock: Clock,
    crashPoints: CrashPoints,
  ) {
    this.absence = endpoints.absence ?? 'none is configured';
    const pool = (kind: NodeKind, urls: readonly string[]) =>
      new NodePool(kind, urls, configuration.nodes.apiKey, connections, times, clock, crashPoints);
    this.pools = {
      wallet: pool('wallet', endpoints.fullNodeUrls),
      walletsolidity: pool('walletsolidity', endpoints.solidityNodeUrls),
    };
  }

  /** Genesis of the database's chain; null until a node has been compared with it. */
  get genesisId(): string | null {
    return this.genesis.id;
  }

  pool(kind: NodeKind): NodePool {
    return this.pools[kind];
  }

  /** The URLs of a kind's nodes in the order in which they are used, without those that are behind. */
  urls(kind: NodeKind): string[] {
    return this.pools[kind].candidates().map(({ url }) => url);
  }

  /** As `urls`, without those that want no calls for now, where any takes them. */
  urlsTakingCalls(kind: NodeKind): string[] {
    const pool = this.pools[kind];
    const nodes = pool.candidates();
    const taking = nodes.filter((node) => !pool.isPaused(node));
    return (taking.length > 0 ? taking : nodes).map(({ url }) => url);
  }

  allUrls(kind: NodeKind): string[] {
    return this.pools[kind].nodes.map(({ url }) => url);
  }

  /** Those that are not behind, do not rest after a failure and take calls now; also one that a caller tries, for it may be back. */
  reachable(kind: NodeKind): string[] {
    const pool = this.pools[kind];
    const resting = pool.resting();
    return pool.nodes
      .filter((node) => !node.behind && (node.isTried || !resting.has(node)) && !pool.isPaused(node))
      .map(({ url }) => url);
  }

  /** How each configured node does, as this process has seen it. */
  standings(): NodeStandingView[] {
    const now = this.clock.monotonicMs();
    return NODE_KINDS.flatMap((kind) =>
      this.pools[kind].nodes.map((node) => ({
        kind,
        url: node.url,
        behind: node.behind,
        behindBlocks: node.behindBlocks,
        behindSince: node.behindSince,
        slow: this.pools[kind].isLeft(node),
        lastFault: node.lastFault,
        resting: node.lastFault !== null && node.restingUntilMs > now,
        failing: isFailing(node, now),
      })),
    );
  }

  isBehind(kind: NodeKind, url: string): boolean {
    return this.pools[kind].nodes.some((node) => node.url === url && node.behind);
  }

  /** The nodes that are behind or slow, and are asked after the others. */
  left(kind: NodeKind): string[] {
    const pool = this.pools[kind];
    return pool.nodes.filter((node) => node.behind || pool.isLeft(node)).map(({ url }) => url);
  }

  /** Host and port of each node, once. */
  hosts(): string[] {
    return hostsOf(Object.values(this.pools).flatMap(({ nodes }) => nodes));
  }

  /** Hosts of the nodes that are not used now, because they failed last or are behind. */
  setAside(): string[] {
    const nodes = Object.values(this.pools).flatMap((pool) => pool.nodes);
    return hostsOf(nodes.filter(({ behind, lastFault }) => behind || lastFault !== null));
  }

  /** Takes a node out of use, or back into it. Logged when that changes something. */
  setBehind(kind: NodeKind, url: string, behind: boolean, blocks: number | null = null): void {
    const node = this.pools[kind].nodes.find((found) => found.url === url);
    if (!node) return;
    node.behindBlocks = behind ? blocks : null;
    if (node.behind === behind) return;
    node.behind = behind;
    node.behindSince = behind ? this.clock.now() : null;
    const host = new URL(url).host;
    if (behind) this.logger.warn(`The node ${host} is behind (${kind}): it is not used until it has caught up`);
    else this.logger.log(`The node ${host} has caught up (${kind}): it is used again`);
  }

  /** Has every node's genesis block compared again before its next use. */
  invalidate(kind: NodeKind): void {
    this.pools[kind].invalidate();
  }

  /**
   * Compares the genesis blocks of the nodes in use: a node replaced behind its URL need not have failed a call. Those that refuse for
   * the number of calls, for a day perhaps, are waited for only while no other has answered.
   * @throws NodeUnavailableError when one belongs to another chain now, or does not answer
   */
  async verify(kind: NodeKind): Promise<void> {
    const pool = this.pools[kind];
    const limited: NodeState[] = [];
    let isAnswered = false;
    for (const node of pool.trusted()) {
      const reply = pool.isPaused(node) ? null : await askGenesis(pool, node);
      if (reply === null || !isFault(reply)) limited.push(node);
      else {
        await this.refuse(kind, this.judgeGenesis(pool, node, reply));
        isAnswered = true;
      }
    }
    const [soonest] = pool.byPause(limited);
    if (!isAnswered && soonest) await this.refuse(kind, this.compareGenesis(pool, soonest));
  }

  /** As `verify`, of one node. @throws NodeUnavailableError */
  async verifyNode(kind: NodeKind, url: string): Promise<void> {
    const pool = this.pools[kind];
    for (const node of pool.nodes.filter((found) => found.url === url))
      await this.refuse(kind, this.compareGenesis(pool, node));
  }

  /** Why a node may not be used now, or null. Checked before its first use and after each fault. */
  async refusal(pool: NodePool, node: NodeState): Promise<string | null> {
    return node.checked ? null : this.compareGenesis(pool, node);
  }

  /** Logged once, until it works again. */
  failed(pool: NodePool, node: NodeState, fault: string): void {
    if (node.lastFault === null) this.logger.warn(`The node ${new URL(node.url).host} fails: ${pool.kind}/${fault}`);
    pool.failed(node, fault);
  }

  /** What a node has shown cannot be so, although it may go on being asked: counted, and logged once a minute. */
  doubted(kind: NodeKind, url: string, fault: string): void {
    const { host } = new URL(url);
    nodeFaults.publish({ kind, node: host } satisfies NodeFault);
    const nowMs = this.clock.monotonicMs();
    if (nowMs - (this.doubtedAtMs.get(url) ?? Number.NEGATIVE_INFINITY) < DOUBTS_LOGGED_EVERY_MS) return;
    this.doubtedAtMs.set(url, nowMs);
    this.logger.warn(`The node ${host} shows what cannot be so: ${kind}/${fault}`);
  }

  private async refuse(kind: NodeKind, compared: Promise<string | null>): Promise<void> {
    const refusal = await compared;
    if (refusal) throw new NodeUnavailableError(`${kind}: ${refusal}`);
  }

  private async compareGenesis(pool: NodePool, node: NodeState): Promise<string | null> {
    const limits = patience('getblockbynum');
    let reply: HttpReply;
    do reply = await askGenesis(pool, node);
    while (reply.kind === 'limited' && limits.mayWait());
    return this.judgeGenesis(pool, node, reply);
  }

  private async judgeGenesis(pool: NodePool, node: NodeState, reply: HttpReply): Promise<string | null> {
    const id = reply.kind === 'json' ? (reply.value as { blockID?: unknown } | null)?.blockID : undefined;
    if (typeof id !== 'string' || !/^[0-9a-f]{64}$/i.test(id)) {
      const fault = reply.kind === 'json' ? 'it shows no genesis block' : reply.reason;
      if (isFault(reply)) this.failed(pool, node, fault);
      return fault;
    }
    const accepted = await this.genesis.accepts(id.toLowerCase(), node.url).catch(() => null);
    if (accepted === null) return 'its genesis block cannot be compared while the database is away';
    if (!accepted) {
      pool.failed(node, 'it belongs to another chain');
      return 'it belongs to another chain';
    }
    node.checked = true;
    return null;
  }
}

function askGenesis(pool: NodePool, node: NodeState): Promise<HttpReply> {
  return pool.post(node, 'getblockbynum', { num: 0 }, READ_TIMEOUT_MS);
}

/** One fault is over before so long: its rest is shorter. */
function isFailing({ failingSinceMs, restingUntilMs }: NodeState, nowMs: number): boolean {
  return failingSinceMs !== null && nowMs - failingSinceMs >= FAILING_MS && restingUntilMs > nowMs;
}

function hostsOf(nodes: readonly { readonly url: string }[]): string[] {
  return [...new Set(nodes.map(({ url }) => new URL(url).host))];
}
