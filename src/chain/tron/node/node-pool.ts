import type { Clock } from '../../../common/clock';
import type { CrashPoints } from '../../../common/crash-points';
import { nodeCalls, nodeFaults, type NodeFault } from '../../../common/telemetry-channels';
import { callPriority } from './call-priority';
import type { NodeConnections } from './node-connections';
import { postJson, type HttpReply } from './node-http';
import { NodeOrder } from './node-order';
import type { NodeTimes } from './node-times';
import { watchForCrash } from './node.crash-points';

export const NODE_KINDS = ['wallet', 'walletsolidity'] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

/** After this long without an answer, the next node is asked. */
export const READ_TIMEOUT_MS = 3_000;
export const BROADCAST_TIMEOUT_MS = 3_000;
/** Twenty full blocks of a busy network are several megabytes. */
export const BLOCKS_TIMEOUT_MS = 15_000;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 30_000;
/** Long enough for the same call to go to another node. */
const INVALIDATED_REST_MS = 3_000;

/** How long these take depends on what the caller asks for: they do not show how fast a node is. */
const UNTYPICAL: ReadonlySet<string> = new Set(['triggerconstantcontract', 'getblockbylimitnext']);

const TOO_LATE: HttpReply = { kind: 'undelivered', reason: 'its time was up before its turn came', neverAsked: true };

export interface NodeState {
  readonly url: string;
  /** Its genesis block was compared after its last failure. */
  checked: boolean;
  restingUntilMs: number;
  restMs: number;
  /** It rests for this alone that a caller finds out whether it is back. */
  isTried: boolean;
  lastFault: string | null;
  /** When it failed first of the times that it has failed in a row; null: its last call went well. */
  failingSinceMs: number | null;
  /** It stands still, or lags, while another one goes on: not used until it has caught up. */
  behind: boolean;
  /** By how many blocks, and since when; null: it is not, or has shown none. */
  behindBlocks: number | null;
  behindSince: Date | null;
}

/**
 * The nodes of one kind. The first that works is used until it fails, or others turn out to be much faster, so that reads come from one
 * view of the chain. A failed one rests, longer each time, and has its genesis block compared again before its next use.
 */
export class NodePool {
  readonly nodes: readonly NodeState[];
  private readonly order: NodeOrder;
  private inUse: NodeState | null = null;

  constructor(
    readonly kind: NodeKind,
    urls: readonly string[],
    private readonly apiKey: string | undefined,
    private readonly connections: NodeConnections,
    private readonly times: NodeTimes,
    private readonly clock: Clock,
    private readonly crashPoints: CrashPoints,
  ) {
    this.order = new NodeOrder(kind, times, clock);
    this.nodes = urls.map((url) => ({
      url,
      checked: false,
      restingUntilMs: 0,
      restMs: 0,
      isTried: false,
      lastFault: null,
      failingSinceMs: null,
      behind: false,
      behindBlocks: null,
      behindSince: null,
    }));
  }

  /**
   * Nodes in the order in which the caller should try them: slow ones come later, then those that want no calls for now, resting ones
   * last. With `only`, that node alone; of several, these, in the order in which they are given.
   */
  candidates(only?: string | readonly string[]): NodeState[] {
    if (Array.isArray(only)) return only.flatMap((url) => this.nodes.filter((node) => node.url === url));
    const now = this.clock.monotonicMs();
    const nodes = this.usable(only as string | undefined);
    const rested = nodes.filter((node) => node.restingUntilMs <= now);
    const resting = nodes.filter((node) => node.restingUntilMs > now);
    return [...this.byPause(rested), ...resting.toSorted((a, b) => a.restingUntilMs - b.restingUntilMs)];
  }

  /** Those that are left alone for a while, because they failed. */
  resting(): ReadonlySet<NodeState> {
    const now = this.clock.monotonicMs();
    return new Set(this.nodes.filter((node) => node.restingUntilMs > now));
  }

  /** It wants no calls for now: who asks it waits, for minutes perhaps. */
  isPaused(node: NodeState): boolean {
    return this.pausedMs(node) > 0;
  }

  /** Those first that take calls, or soonest. */
  byPause(nodes: readonly NodeState[]): NodeState[] {
    return nodes.toSorted((a, b) => this.pausedMs(a) - this.pausedMs(b));
  }

  /** It is asked after the others now, because it is slow or fails often. */
  isLeft({ url }: NodeState): boolean {
    this.order.judge(this.upToDate().map((node) => node.url));
    return this.order.isLeft(url);
  }

  /** A call may go there that need not be made at all: it has not failed lately, and has refused none for their number. */
  mayHaveMore({ url, lastFault, restingUntilMs }: NodeState): boolean {
    const isResting = lastFault !== null || restingUntilMs > this.clock.monotonicMs();
    return !isResting && !this.connections.queue(url).hasRefusedLately;
  }

  private pausedMs({ url }: NodeState): number {
    return this.connections.queue(url).pausedMs;
  }

  private usable(only: string | undefined): readonly NodeState[] {
    if (only !== undefined) return this.nodes.filter(({ url }) => url === only);
    const usable = this.upToDate();
    this.order.judge(usable.map(({ url }) => url));
    return usable.toSorted((a, b) => Number(this.order.isLeft(a.url)) - Number(this.order.isLeft(b.url)));
  }

  private upToDate(): readonly NodeState[] {
    const upToDate = this.nodes.filter(({ behind }) => !behind);
    return upToDate.length > 0 ? upToDate : this.nodes;
  }

  /**
   * Waits for its turn first; the time-out and the measured duration begin after that. A call whose turn comes after `untilMs` on
   * the monotonic clock is not made.
   */
  post(node: NodeState, route: string, body: unknown, timeoutMs: number, untilMs = Infinity): Promise<HttpReply> {
    this.leaveToThisCaller(node);
    const { agents } = this.connections;
    const url = `${node.url}/${this.kind}/${route}`;
    const watch = watchForCrash(this.crashPoints, `${this.kind}/${route}`, body);
    const call = { kind: this.kind, node: new URL(node.url).host, route };
    return this.connections.run(url, callPriority(route), async () => {
      if (this.clock.monotonicMs() > untilMs) return TOO_LATE;
      const ended = UNTYPICAL.has(route) ? null : this.times.begin(node.url, route);
      const send = () => postJson(url, body, this.apiKey, timeoutMs, watch, agents);
      const reply = await nodeCalls.tracePromise(send, call);
      ended?.(reply.kind === 'json');
      return reply;
    });
  }

  /**
   * One caller tries a node that failed before; if it hangs, the others do not wait with that caller. Only a call counts: if a list of
   * candidates did, a node that stands second in it would go on resting, and what the first one shows be compared with nothing.
   */
  private leaveToThisCaller(node: NodeState): void {
    const now = this.clock.monotonicMs();
    if (node.lastFault === null || node.restingUntilMs > now) return;
    node.restingUntilMs = now + READ_TIMEOUT_MS;
    node.isTried = true;
  }

  /** The blocks read do not link: the node may have been replaced by one of another chain, so another node is asked next. */
  invalidate(): void {
    for (const node of this.nodes) node.checked = false;
    if (this.inUse) this.rest(this.inUse, INVALIDATED_REST_MS);
  }

  /** Nodes whose answers are in use: the last one to answer is among them, even when it was invalidated afterwards. */
  trusted(): NodeState[] {
    return this.nodes.filter((node) => node.checked || node === this.inUse);
  }

  worked(node: NodeState): void {
    this.inUse = node;
    node.restMs = 0;
    node.restingUntilMs = 0;
    node.lastFault = null;
    node.failingSinceMs = null;
  }

  failed(node: NodeState, reason: string): void {
    node.checked = false;
    node.lastFault = reason;
    this.times.failed(node.url, READ_TIMEOUT_MS);
    nodeFaults.publish({ kind: this.kind, node: new URL(node.url).host } satisfies NodeFault);
    node.restMs = Math.min(LONGEST_REST_MS, node.restMs === 0 ? FIRST_REST_MS : node.restMs * 2);
    this.rest(node, node.restMs);
    node.failingSinceMs ??= this.clock.monotonicMs();
  }

  private rest(node: NodeState, forMs: number): void {
    node.restingUntilMs = this.clock.monotonicMs() + forMs;
    node.isTried = false;
  }
}
