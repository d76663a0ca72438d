import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { Clock } from '../../common/clock';
import { CrashPoints } from '../../common/crash-points';
import type { SignedTransaction } from '../signing/signed-transaction';
import { isFaultOfNode, readBroadcastReply, type BroadcastOutcome } from './broadcast-outcome';
import { callPriority, longestWaitMs } from './call-priority';
import { GenesisCheck } from './genesis-check';
import { NodeConnections } from './node-connections';
import { NODE_ENDPOINTS, type NodeEndpoints } from './node-endpoints';
import { NodeUnavailableError } from './node-errors';
import type { HttpReply } from './node-http';
import {
  BROADCAST_TIMEOUT_MS,
  NodePool,
  READ_TIMEOUT_MS,
  NODE_KINDS,
  type NodeKind,
  type NodeState,
} from './node-pool';

/** What gateways answer that do not pass a route on. */
const NO_SUCH_ROUTE: ReadonlySet<string> = new Set(['HTTP 404', 'HTTP 405', 'HTTP 501']);

/** How bytes are sent. */
export interface Sending {
  /** On the monotonic clock: no call begins after it. */
  readonly untilMs?: number;
  /** For so long at most, a node is tried again that refuses for the number of calls. */
  readonly patienceMs?: number;
  /** One that has accepted them may pass them on to nobody: the others get them too. */
  readonly toEveryNode?: boolean;
  /** A refusal for good that no node's word alone is enough for: the others get the bytes too, until one accepts them. */
  readonly isDoubted?: (refusal: BroadcastOutcome) => boolean;
}

/** One node's answer to one sending of bytes. */
export interface Delivery {
  readonly node: string;
  readonly outcome: BroadcastOutcome;
}

/** A configured node, as this process has seen it. */
export interface NodeStandingView {
  readonly kind: NodeKind;
  readonly url: string;
  /** Set aside until it has caught up. */
  readonly behind: boolean;
  readonly lastFault: string | null;
  /** Not asked for a while because of its last fault. */
  readonly resting: boolean;
}

/** The chain's HTTP API: time-outs, fail-over, and no use of a node that belongs to another chain. */
@Injectable()
export class NodeClient {
  private readonly logger = new Logger(NodeClient.name);
  private readonly pools: Readonly<Record<NodeKind, NodePool>>;
  private compare: (() => Promise<unknown>) | null = null;
  private comparing: Promise<unknown> | null = null;

  constructor(
    @Inject(NODE_ENDPOINTS) private readonly endpoints: NodeEndpoints,
    @Inject(CONFIGURATION) configuration: Configuration,
    connections: NodeConnections,
    private readonly genesis: GenesisCheck,
    private readonly clock: Clock,
    crashPoints: CrashPoints,
  ) {
    const pool = (kind: NodeKind, urls: readonly string[]) =>
      new NodePool(kind, urls, configuration.nodes.apiKey, connections, clock, crashPoints);
    this.pools = {
      wallet: pool('wallet', endpoints.fullNodeUrls),
      walletsolidity: pool('walletsolidity', endpoints.solidityNodeUrls),
    };
  }

  /**
   * Asks one node after the other until one answers with JSON that is no Java exception. While all that it would need is fewer calls,
   * it waits and asks again.
   * @throws NodeUnavailableError when none does; a failed read has changed nothing
   */
  async read(
    kind: NodeKind,
    route: string,
    body: Record<string, unknown> = {},
    timeoutMs = READ_TIMEOUT_MS,
  ): Promise<Record<string, unknown>> {
    return this.ask(kind, route, body, (answer) => answer, timeoutMs);
  }

  /**
   * As `read`, but an answer for which `understand` throws NodeUnavailableError counts as none: the next node is asked. With `only`,
   * no other node than that one is asked.
   * @throws NodeUnavailableError
   */
  async ask<T>(
    kind: NodeKind,
    route: string,
    body: Record<string, unknown>,
    understand: (answer: Record<string, unknown>, url: string) => T,
    timeoutMs = READ_TIMEOUT_MS,
    only?: string,
  ): Promise<T> {
    const pool = this.pools[kind];
    let fault = this.endpoints.absence ?? 'none is configured';
    if (only === undefined) await this.compared();
    const limits = patience(route);
    const nodes = pool.candidates(only);
    for (let node = nodes.shift(); node; node = nodes.shift()) {
      const refusal = await this.refusal(pool, node);
      if (refusal) {
        fault = refusal;
        continue;
      }
      const reply = await pool.post(node, route, body, timeoutMs);
      const understood = readReply(reply, (answer) => understand(answer, node.url));
      if ('value' in understood) {
        pool.worked(node);
        return understood.value;
      }
      fault = understood.fault;
      if (reply.kind === 'limited' && limits.mayWait()) nodes.push(node);
      else if (isFault(reply)) this.failed(pool, node, `${route}: ${fault}`);
    }
    throw new NodeUnavailableError(`${kind}/${route}: ${fault}`);
  }

  /**
   * As `ask`, for what not every node offers and callers choose: neither an answer nor a failure changes what is thought of a node.
   * Null when a node does not offer it, which `understand` says by null, and no other node answers.
   * @throws NodeUnavailableError
   */
  async consult<T>(
    kind: NodeKind,
    route: string,
    body: Record<string, unknown>,
    understand: (answer: Record<string, unknown>) => T | null,
  ): Promise<T | null> {
    const pool = this.pools[kind];
    let fault = this.endpoints.absence ?? 'none is configured';
    let lacking = false;
    const limits = patience(route);
    const nodes = pool.candidates();
    for (let node = nodes.shift(); node; node = nodes.shift()) {
      const refusal = await this.refusal(pool, node);
      const reply = refusal === null ? await pool.post(node, route, body, READ_TIMEOUT_MS) : null;
      const understood = reply ? readReply(reply, understand) : { fault: refusal! };
      if ('value' in understood && understood.value !== null) return understood.value;
      lacking ||= 'value' in understood || NO_SUCH_ROUTE.has(understood.fault);
      if ('fault' in understood) ({ fault } = understood);
      if (reply?.kind === 'limited' && limits.mayWait()) nodes.push(node);
    }
    if (lacking) return null;
    throw new NodeUnavailableError(`${kind}/${route}: ${fault}`);
  }

  /**
   * Sends the same bytes to one node after the other until one accepts them or refuses them for good. With a single node, an open
   * outcome is followed by a second try: the same bytes cannot be executed twice. `untilMs` is looked at before each call, because a
   * process that was suspended in between must not send when it is no longer allowed to.
   */
  async broadcast(
    transaction: SignedTransaction,
    { untilMs = Number.POSITIVE_INFINITY, patienceMs, toEveryNode = false, isDoubted = () => false }: Sending = {},
  ): Promise<Delivery[]> {
    await this.compared();
    const pool = this.pools.wallet;
    const deliveries: Delivery[] = [];
    const limits = patience('broadcasttransaction', patienceMs);
    const resting = pool.resting();
    const nodes = pool.candidates();
    let secondTries = nodes.length === 1 ? 1 : 0;
    for (let node = nodes.shift(); node; node = nodes.shift()) {
      // One that has failed lately is a last resort; it need not have what another has accepted.
      if (resting.has(node) && deliveries.some(({ outcome }) => outcome.kind === 'accepted')) continue;
      const refusal = await this.refusal(pool, node);
      if (this.clock.monotonicMs() > untilMs) break;
      const reply: HttpReply = refusal
        ? { kind: 'undelivered', reason: refusal, neverAsked: true }
        : await pool.post(node, 'broadcasttransaction', transaction.json, BROADCAST_TIMEOUT_MS, untilMs);
      const outcome = readBroadcastReply(reply, transaction.txId);
      deliveries.push({ node: new URL(node.url).host, outcome });
      // No fault of the node: by what it sees, it may be right.
      if (isDoubted(outcome)) continue;
      const isDecided = outcome.kind === 'accepted' || (outcome.kind === 'refused' && !outcome.elsewhere);
      if (isDecided && !toEveryNode) break;
      if (outcome.kind !== 'accepted' && isFault(reply) && isFaultOfNode(outcome))
        this.failed(pool, node, `broadcast: ${outcome.code} ${outcome.message}`);
      if (reply.kind === 'limited' ? limits.mayWait() : outcome.kind === 'unknown' && secondTries-- > 0)
        nodes.push(node);
    }
    return deliveries;
  }

  /** Of several nodes, a process that has just started takes the first only after this, which sets aside those that are behind. */
  compareFirst(compare: () => Promise<unknown>): void {
    if (this.endpoints.fullNodeUrls.length > 1) this.compare = compare;
  }

  private async compared(): Promise<void> {
    if (this.compare) await (this.comparing ??= this.compare().catch(() => undefined));
    this.compare = null;
  }

  /** Has every node's genesis block compared again before its next use. */
  invalidate(kind: NodeKind): void {
    this.pools[kind].invalidate();
  }

  /**
   * Compares the genesis blocks of the nodes in use: a node replaced behind its URL need not have failed a call.
   * @throws NodeUnavailableError when one belongs to another chain now, or does not answer
   */
  async verify(kind: NodeKind): Promise<void> {
    const pool = this.pools[kind];
    for (const node of pool.trusted()) {
      const refusal = await this.compareGenesis(pool, node);
      if (refusal) throw new NodeUnavailableError(`${kind}: ${refusal}`);
    }
  }

  /** As `verify`, of one node. @throws NodeUnavailableError */
  async verifyNode(kind: NodeKind, url: string): Promise<void> {
    const pool = this.pools[kind];
    for (const node of pool.nodes.filter((found) => found.url === url)) {
      const refusal = await this.compareGenesis(pool, node);
      if (refusal) throw new NodeUnavailableError(`${kind}: ${refusal}`);
    }
  }

  /** The URLs of a kind's nodes in the order in which they are used, without those that are behind. */
  urls(kind: NodeKind): string[] {
    return this.pools[kind].candidates().map(({ url }) => url);
  }

  allUrls(kind: NodeKind): string[] {
    return this.pools[kind].nodes.map(({ url }) => url);
  }

  /** How each configured node does, as this process has seen it. */
  standings(): NodeStandingView[] {
    const now = this.clock.monotonicMs();
    return NODE_KINDS.flatMap((kind) =>
      this.pools[kind].nodes.map(({ url, behind, lastFault, restingUntilMs }) => ({
        kind,
        url,
        behind,
        lastFault,
        resting: lastFault !== null && restingUntilMs > now,
      })),
    );
  }

  isBehind(kind: NodeKind, url: string): boolean {
    return this.pools[kind].nodes.some((node) => node.url === url && node.behind);
  }

  /** Host and port of each node, once. */
  hosts(): string[] {
    return hostsOf(Object.values(this.pools).flatMap(({ nodes }) => nodes));
  }

  /** Of those that are not used now, for they failed last or are behind. */
  setAside(): string[] {
    const nodes = Object.values(this.pools).flatMap((pool) => pool.nodes);
    return hostsOf(nodes.filter(({ behind, lastFault }) => behind || lastFault !== null));
  }

  /** Takes a node out of use, or back into it. Logged when that changes something. */
  setBehind(kind: NodeKind, url: string, behind: boolean): void {
    const node = this.pools[kind].nodes.find((found) => found.url === url);
    if (!node || node.behind === behind) return;
    node.behind = behind;
    const host = new URL(url).host;
    if (behind) this.logger.warn(`The node ${host} is behind (${kind}): it is not used until it has caught up`);
    else this.logger.log(`The node ${host} has caught up (${kind}): it is used again`);
  }

  /** The last fault of each node. */
  nodes(): { kind: NodeKind; url: string; fault: string | null }[] {
    return Object.values(this.pools).flatMap((pool) =>
      pool.nodes.map((node) => ({ kind: pool.kind, url: node.url, fault: node.lastFault })),
    );
  }

  /** Why a node may not be used now, or null. Checked before its first use and after each fault. */
  private async refusal(pool: NodePool, node: NodeState): Promise<string | null> {
    return node.checked ? null : this.compareGenesis(pool, node);
  }

  private async compareGenesis(pool: NodePool, node: NodeState): Promise<string | null> {
    const limits = patience('getblockbynum');
    let reply: HttpReply;
    do reply = await pool.post(node, 'getblockbynum', { num: 0 }, READ_TIMEOUT_MS);
    while (reply.kind === 'limited' && limits.mayWait());
    const id = reply.kind === 'json' ? (reply.value as { blockID?: unknown } | null)?.blockID : undefined;
    if (typeof id !== 'string' || !/^[0-9a-f]{64}$/i.test(id)) {
      const fault = reply.kind === 'json' ? 'it shows no genesis block' : reply.reason;
      if (isFault(reply)) this.failed(pool, node, fault);
      return fault;
    }
    const accepted = await this.genesis.accepts(id, node.url).catch(() => null);
    if (accepted === null) return 'its genesis block cannot be compared while the database is away';
    if (!accepted) {
      pool.failed(node, 'it belongs to another chain');
      return 'it belongs to another chain';
    }
    node.checked = true;
    return null;
  }

  private failed(pool: NodePool, node: NodeState, fault: string): void {
    if (node.lastFault === null) this.logger.warn(`The node ${new URL(node.url).host} fails: ${pool.kind}/${fault}`);
    pool.failed(node, fault);
  }
}

/** Not of a call that got no turn, nor of one that the node refused for the number of calls: nothing is wrong with the node then. */
function isFault(reply: HttpReply): boolean {
  return reply.kind !== 'limited' && !(reply.kind === 'undelivered' && reply.neverAsked === true);
}

/** A node that refuses for the number of calls is asked again after its pause, for no longer than a call would wait for its turn. */
function patience(route: string, longestMs = longestWaitMs(callPriority(route))): { mayWait(): boolean } {
  const endMs = performance.now() + longestMs;
  return { mayWait: () => performance.now() < endMs };
}

function readReply<T>(
  reply: HttpReply,
  understand: (answer: Record<string, unknown>) => T,
): { readonly value: T } | { readonly fault: string } {
  if (reply.kind !== 'json') return { fault: reply.reason };
  const answer = reply.value;
  if (answer === null || typeof answer !== 'object' || 'Error' in answer)
    return { fault: 'the node answered with an exception' };
  try {
    return { value: understand(answer as Record<string, unknown>) };
  } catch (error) {
    if (!(error instanceof NodeUnavailableError)) throw error;
    return { fault: error.reason };
  }
}

function hostsOf(nodes: readonly { readonly url: string }[]): string[] {
  return [...new Set(nodes.map(({ url }) => new URL(url).host))];
}
