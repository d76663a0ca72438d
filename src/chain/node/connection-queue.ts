import type { HttpReply } from './node-http';

/** How long a call waits for a connection at most, while the node answers other calls. */
export const LONGEST_WAIT_MS = 10_000;
const HUNG = new Set(['time-out', 'connect time-out', 'ETIMEDOUT', 'EHOSTUNREACH']);

interface Waiting {
  begin(): void;
  giveUp(reason: string): void;
}

/**
 * Limits the calls to one node; the others wait in the order of their arrival. A call's own time-out begins with its turn. When a call
 * times out and no other call was answered since it began, the node hangs, and all waiting calls are dismissed, so that they go to
 * another node instead of timing out one after the other.
 */
export class ConnectionQueue {
  private inUse = 0;
  private answers = 0;
  /** First come, first served in each queue. Urgent calls finish an order or read its outcome; the others begin one. */
  private readonly urgent: Waiting[] = [];
  private readonly others: Waiting[] = [];

  constructor(private readonly connections: number) {}

  get waiting(): number {
    return this.urgent.length + this.others.length;
  }

  async run(urgent: boolean, call: () => Promise<HttpReply>): Promise<HttpReply> {
    const reason = await this.turn(urgent);
    if (reason !== null) return { kind: 'undelivered', reason, neverAsked: true };
    const before = this.answers;
    try {
      const reply = await call();
      const hung = reply.kind !== 'json' && HUNG.has(reply.reason);
      if (!hung) this.answers++;
      else if (this.answers === before) this.dismiss('the node answers nobody');
      return reply;
    } finally {
      this.inUse--;
      (this.urgent.shift() ?? this.others.shift())?.begin();
    }
  }

  /** Null once it is this call's turn, else why it got none. */
  private turn(urgent: boolean): Promise<string | null> | null {
    if (this.inUse < this.connections) {
      this.inUse++;
      return null;
    }
    const line = urgent ? this.urgent : this.others;
    return new Promise((resolve) => {
      const end = (reason: string | null) => {
        clearTimeout(timer);
        resolve(reason);
      };
      const waiting: Waiting = {
        begin: () => {
          this.inUse++;
          end(null);
        },
        giveUp: end,
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(waiting), 1);
        end(`no connection to it was free for ${LONGEST_WAIT_MS / 1000} s`);
      }, LONGEST_WAIT_MS);
      line.push(waiting);
    });
  }

  private dismiss(reason: string): void {
    for (const waiting of [...this.urgent.splice(0), ...this.others.splice(0)]) waiting.giveUp(reason);
  }
}
