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
}

/** In real time. A statement that waits for a lock may wait for a timer: the holder of the lock may need it. */
const PATIENCE_MS = 2_000;
/** Work of node's own threads on files and names. */
const OF_THREADS: ReadonlySet<string> = new Set(['FSReqCallback', 'FSReqPromise', 'GetAddrInfoReqWrap']);

/**
 * Work outside of this process's event loop, which shows there only when it is over: statements that PostgreSQL has not answered, and
 * calls of node's threads for files and names. HTTP calls need no list: both ends are in this process, and the bytes that one end sends
 * are an event of the loop at the other.
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
