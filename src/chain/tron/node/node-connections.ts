import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../../config/configuration';
import { nodeRefusals } from '../../../common/telemetry-channels';
import type { CallPriority } from './call-priority';
import { CallQueue } from './call-queue';
import { CallRate } from './call-rate';
import { keptConnections, type HttpReply, type KeptConnections } from './node-http';

/** Refusals come in bursts: one line tells of all within this time. */
const LOGGED_EVERY_MS = 60_000;

/**
 * Limits this process's connections to each host and port, and its calls a second, whichever URLs name it. java-tron serves 50
 * connections, idle ones included, and lets further ones hang; gateways count calls.
 */
@Injectable()
export class NodeConnections {
  readonly agents: KeptConnections;
  private readonly logger = new Logger(NodeConnections.name);
  private readonly most: number;
  private readonly callsPerSecond: number | null;
  private readonly queues = new Map<string, CallQueue>();
  private readonly loggedAtMs = new Map<CallQueue, number>();

  constructor(@Inject(CONFIGURATION) configuration: Configuration) {
    this.most = configuration.nodes.connections;
    this.callsPerSecond = configuration.nodes.callsPerSecond;
    // The agents' own limit counts too: a socket is released only after its call has ended, and until then the next call would open one too many.
    this.agents = keptConnections(this.most);
  }

  queue(url: string): CallQueue {
    const { origin } = new URL(url);
    const found = this.queues.get(origin) ?? new CallQueue(this.most, new CallRate(this.callsPerSecond));
    this.queues.set(origin, found);
    return found;
  }

  /** Makes the call when its turn comes. */
  async run(url: string, priority: CallPriority, call: () => Promise<HttpReply>): Promise<HttpReply> {
    const queue = this.queue(url);
    const reply = await queue.run(priority, call);
    if (reply.kind === 'limited') this.tell(url, queue, reply.reason);
    return reply;
  }

  private tell(url: string, queue: CallQueue, reason: string): void {
    const { host } = new URL(url);
    nodeRefusals.publish({ node: host });
    const nowMs = performance.now();
    if (nowMs - (this.loggedAtMs.get(queue) ?? Number.NEGATIVE_INFINITY) < LOGGED_EVERY_MS) return;
    this.loggedAtMs.set(queue, nowMs);
    const pauseS = Math.ceil(queue.pausedMs / 1000);
    this.logger.warn(
      `The node ${host} refuses calls for their number (${reason}): after ${pauseS} s it is asked at most ${queue.rate.perSecond} a second`,
    );
  }
}
