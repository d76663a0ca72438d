import { Client } from 'pg';
import { real } from './real-world';

/** The parts of node-postgres that show what it waits for. */
interface Connection {
  _connect: (this: Connection, callback: unknown) => void;
  _connecting: boolean;
  _ended: boolean;
  _activeQuery: object | null;
  _sentQueryQueue: object[];
  _queryQueue: object[];
  processID: number | null;
}

/** How PostgreSQL has a session: `blocked` stands for one that waits for a lock. */
export type SessionState = 'active' | 'blocked' | 'idle';

/** In real time, both. A statement takes less, or PostgreSQL says what it does. */
const ASK_AFTER_MS = 100;
/** A test may hold up what is sent to PostgreSQL, or PostgreSQL itself, until a timer is due. */
const PATIENCE_MS = 2_000;
/** Work of node's own threads on files and names. */
const OF_THREADS: ReadonlySet<string> = new Set(['FSReqCallback', 'FSReqPromise', 'GetAddrInfoReqWrap']);

/**
 * Work outside of this process's event loop, which shows there only when it is over: statements that PostgreSQL has not answered, and
 * calls of node's threads for files and names. HTTP calls need no list: both ends are in this process, and the bytes that one end sends
 * are an event of the loop at the other.
 *
 * A statement that waits for a lock does not count: the holder of the lock may wait for a timer. PostgreSQL says which ones do, because it
 * gives a lock on before it answers the statement that gives it up: from then on the next holder works.
 */
export class BusyClients {
  private readonly clients = new Set<Connection>();
  private readonly sinceMs = new WeakMap<object, number>();
  private blocked = new Set<object>();
  private readonly connect = (Client.prototype as unknown as Connection)._connect;

  constructor(private readonly statesOf: (pids: number[]) => Promise<Map<number, SessionState>>) {}

  begin(): void {
    const { clients, connect } = this;
    (Client.prototype as unknown as Connection)._connect = function connectSeen(this: Connection, callback) {
      clients.add(this);
      return connect.call(this, callback);
    };
  }

  end(): void {
    (Client.prototype as unknown as Connection)._connect = this.connect;
  }

  /** As of the last `look`, for statements that were sent before it. */
  isBusy(): boolean {
    if (this.awaited().some(([, work]) => !this.blocked.has(work))) return true;
    return process.getActiveResourcesInfo().some((name) => OF_THREADS.has(name));
  }

  /** Asks PostgreSQL about the statements that take long. True if there were some: the event loop counts the answer in its next turn. */
  async look(): Promise<boolean> {
    const nowMs = real.performanceNow();
    const long = this.awaited().filter(([, work]) => nowMs - this.sinceMs.get(work)! >= ASK_AFTER_MS);
    this.blocked = new Set();
    if (long.length === 0) return false;
    const states = await this.statesOf(long.flatMap(([{ processID }]) => processID ?? []));
    for (const [{ processID }, work] of long) {
      const state = states.get(processID!) ?? 'idle';
      const isIdle = state === 'idle' && nowMs - this.sinceMs.get(work)! >= PATIENCE_MS;
      if (state === 'blocked' || isIdle) this.blocked.add(work);
    }
    return true;
  }

  private awaited(): [client: Connection, work: object][] {
    const found: [Connection, object][] = [];
    for (const client of this.clients) {
      if (client._ended) this.clients.delete(client);
      const { _activeQuery, _sentQueryQueue, _queryQueue } = client;
      const work = client._connecting ? client : (_activeQuery ?? _sentQueryQueue[0] ?? _queryQueue[0]);
      if (client._ended || !work) continue;
      if (!this.sinceMs.has(work)) this.sinceMs.set(work, real.performanceNow());
      found.push([client, work]);
    }
    return found;
  }
}
