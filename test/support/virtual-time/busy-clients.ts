import { Client } from 'pg';
import { real } from './real-world';

/** The parts of node-postgres that say what it waits for. */
interface Connection {
  _connect: (this: Connection, callback: unknown) => void;
  _connecting: boolean;
  _ended: boolean;
  _activeQuery: object | null;
  _sentQueryQueue: object[];
  _queryQueue: object[];
}

/** A statement that waits for somebody's lock may wait for a timer, by way of the one that has the lock. */
const PATIENCE_MS = 2_000;
/** Work of node's own threads on files and names. */
const OF_THREADS: ReadonlySet<string> = new Set(['FSReqCallback', 'FSReqPromise', 'GetAddrInfoReqWrap']);

/**
 * What goes on outside of this process, where its event loop does not see it before it is over: statements that PostgreSQL has not
 * answered, and what node's own threads do with files and names. Calls by HTTP are not among it: both ends are in this process, and what one sends lies at the
 * other at once, as an event of the loop.
 */
export class BusyClients {
  private readonly clients = new Set<Connection>();
  private readonly waiting = new WeakMap<object, number>();
  private readonly connect = (Client.prototype as unknown as Connection)._connect;

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

  isBusy(): boolean {
    for (const client of this.clients) {
      if (client._ended) this.clients.delete(client);
      else if (this.isAwaited(client)) return true;
    }
    return process.getActiveResourcesInfo().some((name) => OF_THREADS.has(name));
  }

  private isAwaited(client: Connection): boolean {
    const first = client._connecting
      ? client
      : (client._activeQuery ?? client._sentQueryQueue[0] ?? client._queryQueue[0]);
    if (!first) return false;
    const nowMs = real.performanceNow();
    const sinceMs = this.waiting.get(first) ?? nowMs;
    this.waiting.set(first, sinceMs);
    return nowMs - sinceMs < PATIENCE_MS;
  }
}
