import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import type { SignedTransaction } from './signed-transaction';
import {
  confirmedRefusal,
  isFaultOfNode,
  readBroadcastReply,
  refusesForGood,
  type BroadcastOutcome,
  type Delivery,
  type Refusal,
} from './broadcast-outcome';
import { patience } from './call-priority';
import { ConfiguredNodes } from './configured-nodes';
import { HedgedCalls } from './hedged-calls';
import { NodeUnavailableError } from './node-errors';
import { isFault, type HttpReply } from './node-http';
import { BROADCAST_TIMEOUT_MS, READ_TIMEOUT_MS, type NodeKind, type NodePool, type NodeState } from './node-pool';
import { nodeText } from './node-text';

/** For so long another node is asked about bytes that one has refused for good. */
const CONFIRM_MS = 2_000;

/** What gateways answer that do not pass a route on. */
const NO_SUCH_ROUTE: ReadonlySet<string> = new Set(['HTTP 404', 'HTTP 405', 'HTTP 501']);

const BROADCAST = 'broadcasttransaction';

/** An order waits for the head and the receiver: when a node is late with them, the next one is asked too. */
const WAITED_FOR: ReadonlySet<string> = new Set(['wallet/getblock', 'wallet/getaccount']);

const NOT_ANSWERED: BroadcastOutcome = {
  kind: 'unknown',
  code: 'NO_ANSWER',
  message: 'had not answered when the result was decided',
};

/** How bytes are sent. */
export interface Sending {
  /** On the monotonic clock: no call begins after it. */
  readonly untilMs?: number;
  /** On the monotonic clock: a caller that waits for it is answered then, and no other node is asked whether a refusal is right. */
  readonly answerByMs?: number;
  /** For so long at most, a node is tried again that refuses for the number of calls. */
  readonly patienceMs?: number;
  /** Send to every node: an accepting node may fail to relay. */
  readonly toEveryNode?: boolean;
  /** A refusal for good that no node's word alone is enough for: the others get the bytes too, until one accepts them. */
  readonly isDoubted?: (refusal: BroadcastOutcome) => boolean;
}

export type { Delivery } from './broadcast-outcome';

/** The chain's HTTP API: time-outs, fail-over, and no use of a node that belongs to another chain. */
@Injectable()
export class NodeClient {
  private compare: (() => Promise<unknown>) | null = null;
  private comparing: Promise<unknown> | null = null;
  private isCompared = false;
  private longestWaitMs = 0;

  constructor(
    private readonly nodes: ConfiguredNodes,
    private readonly hedged: HedgedCalls,
    private readonly clock: Clock,
  ) {}

  /**
   * Asks one node after the other until one answers with JSON that is not a Java exception and for which `understand` does not throw
   * NodeUnavailableError. While all that it would need is fewer calls, it waits and asks again. With `only`, no other nodes than these are
   * asked, in this order.
   * @throws NodeUnavailableError when none does; a failed read has changed nothing
   */
  async ask<T>(
    kind: NodeKind,
    route: string,
    body: Record<string, unknown>,
    understand: (answer: Record<string, unknown>, url: string) => T | Promise<T>,
    timeoutMs = READ_TIMEOUT_MS,
    only?: string | readonly string[],
  ): Promise<T> {
    const pool = this.nodes.pool(kind);
    let fault = this.nodes.absence;
    if (only === undefined) await this.compared();
    const limits = patience(route);
    const nodes = pool.candidates(only);
    const hedge = WAITED_FOR.has(`${kind}/${route}`) ? 'seldom' : 'never';
    const call = (node: NodeState) => this.askNode(pool, node, route, body, understand, timeoutMs);
    for await (const { node, answer } of this.hedged.inTurn(pool, nodes, route, hedge, call)) {
      if ('value' in answer) return answer.value;
      ({ fault } = answer);
      if (answer.isLimited && limits.mayWait()) nodes.push(node);
    }
    throw new NodeUnavailableError(`${kind}/${route}: ${fault}`);
  }

  private async askNode<T>(
    pool: NodePool,
    node: NodeState,
    route: string,
    body: Record<string, unknown>,
    understand: (answer: Record<string, unknown>, url: string) => T | Promise<T>,
    timeoutMs: number,
  ): Promise<{ readonly value: T } | { readonly fault: string; readonly isLimited: boolean }> {
    const refusal = await this.nodes.refusal(pool, node);
    if (refusal) return { fault: refusal, isLimited: false };
    const reply = await pool.post(node, route, body, timeoutMs);
    const understood = await readReply(reply, (answer) => understand(answer, node.url));
    if ('value' in understood) pool.worked(node);
    else if (isFault(reply)) this.nodes.failed(pool, node, `${route}: ${understood.fault}`);
    return 'value' in understood ? understood : { ...understood, isLimited: reply.kind === 'limited' };
  }

  /**
   * As `ask`, for what not every node offers and callers choose: neither an answer nor a failure changes what is thought of a node.
   * Null when a node does not offer it, which `understand` says by null, and no other node answers. With `only`, none but that one is asked.
   * @throws NodeUnavailableError
   */
  async consult<T>(
    kind: NodeKind,
    route: string,
    body: Record<string, unknown>,
    understand: (answer: Record<string, unknown>) => T | null,
    only?: string,
  ): Promise<T | null> {
    const pool = this.nodes.pool(kind);
    let fault = this.nodes.absence;
    let lacking = false;
    const limits = patience(route);
    const nodes = pool.candidates(only);
    for (let node = nodes.shift(); node; node = nodes.shift()) {
      const refusal = await this.nodes.refusal(pool, node);
      const reply = refusal === null ? await pool.post(node, route, body, READ_TIMEOUT_MS) : null;
      const understood = reply ? await readReply(reply, understand) : { fault: refusal! };
      if ('value' in understood && understood.value !== null) return understood.value;
      lacking ||= 'value' in understood || NO_SUCH_ROUTE.has(understood.fault);
      if ('fault' in understood) ({ fault } = understood);
      if ('fault' in understood && reply?.kind === 'json') this.nodes.doubted(kind, node.url, `${route}: ${fault}`);
      if (reply?.kind === 'limited' && limits.mayWait()) nodes.push(node);
    }
    if (lacking) return null;
    throw new NodeUnavailableError(`${kind}/${route}: ${fault}`);
  }

  /**
   * Sends the same bytes to one node after the other until one accepts them or two refuse them for good alike, and to the next one too when
   * a node is late. After a first such refusal the others are asked and waited for two seconds at most, and none is asked that wants no
   * calls for now. With a single node its word is enough, and an open outcome is followed by a second try: the same bytes cannot be
   * executed twice. `untilMs` is looked at before each call, because a process that was suspended in between must not send after its time.
   */
  async broadcast(
    transaction: SignedTransaction,
    {
      untilMs = Number.POSITIVE_INFINITY,
      answerByMs = Number.POSITIVE_INFINITY,
      patienceMs,
      toEveryNode = false,
      isDoubted = () => false,
    }: Sending = {},
  ): Promise<Delivery[]> {
    // Bytes that are committed go out, also to a node that was not compared.
    await this.compared().catch(() => undefined);
    const pool = this.nodes.pool('wallet');
    const limits = patience(BROADCAST, patienceMs);
    const resting = pool.resting();
    const nodes = pool.candidates();
    let secondTries = nodes.length === 1 ? 1 : 0;
    /** In the order in which they were sent; a refusal after all that were sent before it came, for it may be because of those. */
    const sent: { node: string; outcome: BroadcastOutcome }[] = [];
    const isAccepted = () => sent.some(({ outcome }) => outcome.kind === 'accepted');
    let isOver = false;
    let confirmMs: number | null = null;
    const timeUp = Promise.withResolvers<null>();
    let isTimeUp = false;
    const isTooLate = () => {
      const nowMs = this.clock.monotonicMs();
      return isTimeUp || nowMs > untilMs || (confirmMs !== null && nowMs >= confirmMs);
    };
    const send = async (node: NodeState) => {
      // One that has failed lately, or wants no calls, is a last resort; it need not have what another has accepted.
      if (isOver || (isAccepted() && (resting.has(node) || pool.isPaused(node)))) return null;
      if (isTooLate() || (confirmMs !== null && pool.isPaused(node))) return null;
      const refusal = await this.refusalWithin(confirmMs, pool, node);
      if (isOver || isTooLate()) return null;
      const delivery = { node: new URL(node.url).host, outcome: NOT_ANSWERED };
      sent.push(delivery);
      const endMs = confirmMs ?? Number.POSITIVE_INFINITY;
      const timeoutMs = Math.min(BROADCAST_TIMEOUT_MS, Math.max(1, endMs - this.clock.monotonicMs()));
      const reply: HttpReply = refusal
        ? { kind: 'undelivered', reason: refusal, neverAsked: true }
        : await pool.post(node, BROADCAST, transaction.json, timeoutMs, Math.min(untilMs, endMs));
      const outcome = readBroadcastReply(reply, transaction.txId);
      delivery.outcome = outcome;
      if (outcome.kind === 'refused') sent.push(...sent.splice(sent.indexOf(delivery), 1));
      // No fault of the node: by what it sees, it may be right.
      if (!isDoubted(outcome) && outcome.kind !== 'accepted' && isFault(reply) && isFaultOfNode(outcome))
        this.nodes.failed(pool, node, `broadcast: ${outcome.code} ${outcome.message}`);
      return { reply, outcome };
    };
    const ended = new AbortController();
    const sendInTime = (node: NodeState) => Promise.race([send(node), timeUp.promise]);
    for await (const { node, answer, underWay } of this.hedged.inTurn(pool, nodes, BROADCAST, 'always', sendInTime)) {
      if (answer === null || isDoubted(answer.outcome)) continue;
      const { reply, outcome } = answer;
      isOver ||= !toEveryNode && (outcome.kind === 'accepted' || this.confirmed(sent) !== null);
      // Another node that has the bytes may still accept what this one refuses.
      if (isOver && (outcome.kind === 'accepted' || underWay.length === 0)) break;
      if (refusesForGood(outcome) && !toEveryNode && confirmMs === null) {
        confirmMs = Math.min(answerByMs, this.clock.monotonicMs() + CONFIRM_MS);
        void this.clock.sleep(confirmMs - this.clock.monotonicMs(), ended.signal).then(() => {
          isTimeUp = true;
          timeUp.resolve(null);
        });
      }
      if (isOver) continue;
      if (reply.kind === 'limited' ? limits.mayWait() : outcome.kind === 'unknown' && secondTries-- > 0)
        nodes.push(node);
    }
    ended.abort();
    return sent.map((delivery) => ({ ...delivery }));
  }

  /** The refusal for good that no single one of several nodes can bring about. */
  confirmed(deliveries: readonly Delivery[]): Refusal | null {
    return confirmedRefusal(deliveries, new Set(this.nodes.allUrls('wallet').map((url) => new URL(url).host)).size);
  }

  /** Why a node may not be used now; while it cannot be known in time, because its genesis block is still being compared. */
  private async refusalWithin(endMs: number | null, pool: NodePool, node: NodeState): Promise<string | null> {
    const found = this.nodes.refusal(pool, node);
    if (endMs === null) return found;
    let refusal: string | null = 'its genesis block is still being compared';
    await this.clock.waitAtMost(
      endMs - this.clock.monotonicMs(),
      found.then((known) => (refusal = known)),
    );
    return refusal;
  }

  /**
   * With several nodes, a process that has just started takes the first one only after this comparison, which sets aside those that are
   * behind.
   */
  compareFirst(compare: () => Promise<unknown>, longestWaitMs: number): void {
    if (this.nodes.allUrls('wallet').length > 1) this.compare = compare;
    this.longestWaitMs = longestWaitMs;
  }

  /** @throws NodeUnavailableError while that takes too long for who waits */
  private async compared(): Promise<void> {
    if (!this.compare || this.isCompared) return;
    this.comparing ??= this.compare()
      .catch(() => undefined)
      .then(() => (this.isCompared = true));
    await this.clock.waitAtMost(this.longestWaitMs, this.comparing);
    if (!this.isCompared) throw new NodeUnavailableError('the nodes are still being compared');
  }
}

async function readReply<T>(
  reply: HttpReply,
  understand: (answer: Record<string, unknown>) => T | Promise<T>,
): Promise<{ readonly value: T } | { readonly fault: string }> {
  if (reply.kind !== 'json') return { fault: reply.reason };
  const answer = reply.value;
  // An empty list would read as an account that does not exist.
  if (answer === null || typeof answer !== 'object' || Array.isArray(answer))
    return { fault: 'the answer is not an object' };
  if ('Error' in answer) return { fault: 'the node answered with an exception' };
  try {
    return { value: await understand(answer as Record<string, unknown>) };
  } catch (error) {
    if (error instanceof NodeUnavailableError) return { fault: error.reason };
    // Whatever it is that readers trip over (`transactions: [null]`), the node has put it there.
    return { fault: `not understood in the answer: ${nodeText((error as Error).message)}` };
  }
}
