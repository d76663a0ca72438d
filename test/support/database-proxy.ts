import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Backend, Frontend, type Request } from './database-session';

/**
 * What becomes of a commit: it passes, it never reaches the database, or it is carried out and its acknowledgement is lost.
 * The last two cut the connection.
 */
export type CommitEnd = 'passes' | 'is lost' | 'is not acknowledged';

/** Stands between the service and PostgreSQL and knows enough of the protocol to tell what commits. */
export class DatabaseProxy {
  /** Asked at each commit, of a transaction or of a statement that writes by itself, with the names of the statements in it that write. */
  endOfCommit: (statements: readonly string[]) => CommitEnd = () => 'passes';
  /** Told of each commit that the database has carried out and not acknowledged: the statements that touched rows. */
  onUnacknowledged: (statements: readonly string[]) => void = () => undefined;
  private readonly server: Server;
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private isAway = false;

  constructor(private readonly target: string) {
    this.server = createServer((client) => this.accept(client));
  }

  /** The database's URL through the proxy. */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return Object.assign(new URL(this.target), { host: `127.0.0.1:${(this.server.address() as AddressInfo).port}` })
      .href;
  }

  /** Every connection is cut, and none is let in until it is back. */
  away(isAway: boolean): void {
    this.isAway = isAway;
    if (isAway) for (const pair of this.pairs) cut(pair);
  }

  async close(): Promise<void> {
    this.away(true);
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(client: Socket): void {
    if (this.isAway) return void client.destroy();
    const { hostname, port } = new URL(this.target);
    const server = connect(Number(port), hostname);
    const pair = [client, server] as const;
    this.pairs.add(pair);
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on('error', () => cut(pair));
      socket.on('close', () => (cut(pair), this.pairs.delete(pair)));
    }
    this.join(pair);
  }

  private join(pair: readonly [Socket, Socket]): void {
    const [client, server] = pair;
    const [frontend, backend] = [new Frontend(), new Backend()];
    let unacknowledged: Request | null = null;
    client.on('data', (data) => {
      for (const { message, request } of frontend.read(data)) {
        const end = request?.commits ? this.endOfCommit(request.commits) : 'passes';
        if (end === 'is lost') return cut(pair);
        if (end === 'is not acknowledged') unacknowledged ??= request;
        if (request) backend.ask(request);
        server.write(message);
      }
    });
    const held: Buffer[] = [];
    server.on('data', (data) => {
      const passed: Buffer[] = [];
      let lost: readonly string[] = [];
      for (const { message, request, committed } of backend.read(data)) {
        held.push(message);
        // The answers of the statements before it arrive: the commit's own is what gets lost.
        if (request && request === unacknowledged) {
          if (!committed) continue;
          unacknowledged = null;
          lost = committed;
          // One that has failed, or changed nothing, is answered as ever.
          if (lost.length > 0) break;
        }
        passed.push(...held.splice(0));
      }
      if (passed.length > 0) client.write(Buffer.concat(passed));
      if (lost.length === 0) return;
      this.onUnacknowledged(lost);
      cut(pair);
    });
  }
}

function cut([client, server]: readonly [Socket, Socket]): void {
  client.destroy();
  server.destroy();
}
