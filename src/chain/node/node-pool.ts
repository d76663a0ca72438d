import type { Clock } from '../../common/clock';
import type { CrashPoints } from '../../common/crash-points';
import { nodeCalls, nodeFaults, type NodeFault } from '../../common/telemetry-channels';
import type { NodeConnections } from './node-connections';
import { postJson, type HttpReply } from './node-http';
import { watchForCrash } from './node.crash-points';

export type NodeKind = 'wallet' | 'walletsolidity';

/** Fails over after this long without an answer. */
export const READ_TIMEOUT_MS = 3_000;
export const BROADCAST_TIMEOUT_MS = 3_000;
/** Twenty full blocks of a busy network are several megabytes. */
export const BLOCKS_TIMEOUT_MS = 15_000;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 30_000;
/** Long enough for another node to be asked the same. */
const DOUBTED_REST_MS = 3_000;

/** Broadcasts and blocks; the readings of receivers and wallets, with which orders begin, wait behind them. */
const URGENT = /^(?:broadcasttransaction|getblock)/;

const TOO_LATE: HttpReply = { kind: 'undelivered', reason: 'its time was over before its turn came', neverAsked: true };

export interface NodeState {
  readonly url: string;
  /** Its genesis block was compared since it last failed. */
  checked: boolean;
  restingUntilMs: number;
  restMs: number;
  lastFault: string | null;
}

/**
 * The base URLs of one kind. The first that works is used until it fails, so that reads come from one view of the chain;
 * a failed one rests for a growing while and has its genesis block checked again before its next use.
 */
export class NodePool {
  readonly nodes: readonly NodeState[];
  private inUse: NodeState | null = null;

  constructor(
    readonly kind: NodeKind,
    urls: readonly string[],
    private readonly apiKey: string | undefined,
    private readonly connections: NodeConnections,
    private readonly clock: Clock,
    private readonly crashPoints: CrashPoints,
  ) {
    this.nodes = urls.map((url) => ({ url, checked: false, restingUntilMs: 0, restMs: 0, lastFault: null }));
  }

  /** Nodes in the order for this caller to try them: rested ones first; resting ones only when there is no other. */
  candidates(): NodeState[] {
    const now = this.clock.monotonicMs();
    const rested = this.nodes.filter((node) => node.restingUntilMs <= now);
    const resting = this.nodes.filter((node) => node.restingUntilMs > now);
    // Whether one that failed is back is found out by one caller: all others would wait with it if it hangs.
    for (const node of rested) if (node.lastFault !== null) node.restingUntilMs = now + READ_TIMEOUT_MS;
    return [...rested, ...resting.toSorted((a, b) => a.restingUntilMs - b.restingUntilMs)];
  }

  /**
   * Waits for a connection first; only with it do the time-out and what is measured of the node begin. A call whose turn comes after
   * `untilMs` on the monotonic clock is not made.
   */
  post(node: NodeState, route: string, body: unknown, timeoutMs: number, untilMs = Infinity): Promise<HttpReply> {
    const { agents } = this.connections;
    const url = `${node.url}/${this.kind}/${route}`;
    const watch = watchForCrash(this.crashPoints, `${this.kind}/${route}`, body);
    const call = { kind: this.kind, node: new URL(node.url).host, route };
    return this.connections
      .queue(url)
      .run(URGENT.test(route), async () =>
        this.clock.monotonicMs() > untilMs
          ? TOO_LATE
          : nodeCalls.tracePromise(() => postJson(url, body, this.apiKey, timeoutMs, watch, agents), call),
      );
  }

  /** The chain that was read does not go on: whoever answered may answer for another one now, so another is asked next. */
  doubt(): void {
    for (const node of this.nodes) node.checked = false;
    if (this.inUse) this.inUse.restingUntilMs = this.clock.monotonicMs() + DOUBTED_REST_MS;
  }

  /** Those whose answers count: what the last one told stays believed when it is doubted afterwards. */
  believed(): NodeState[] {
    return this.nodes.filter((node) => node.checked || node === this.inUse);
  }

  worked(node: NodeState): void {
    this.inUse = node;
    node.restMs = 0;
    node.restingUntilMs = 0;
    node.lastFault = null;
  }

  failed(node: NodeState, reason: string): void {
    node.checked = false;
    node.lastFault = reason;
    nodeFaults.publish({ kind: this.kind, node: new URL(node.url).host } satisfies NodeFault);
    node.restMs = Math.min(LONGEST_REST_MS, node.restMs === 0 ? FIRST_REST_MS : node.restMs * 2);
    node.restingUntilMs = this.clock.monotonicMs() + node.restMs;
  }
}
