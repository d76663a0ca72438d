import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * What becomes of a commit: it passes, it never reaches the database, or it is carried out and its acknowledgement is lost.
 * The last two cut the connection.
 */
export type CommitEnd = 'passes' | 'is lost' | 'is not acknowledged';

const WRITES = /\b(insert into|update|delete from)\b/i;
/** ReadyForQuery: type, length, transaction status. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);

/** Stands between the service and PostgreSQL and knows enough of the protocol to tell what commits. */
export class DatabaseProxy {
  /** Asked at each commit, of a transaction or of a statement that writes by itself. */
  endOfCommit: () => CommitEnd = () => 'passes';
  /** How often each end was met. */
  readonly met: Record<CommitEnd, number> = { passes: 0, 'is lost': 0, 'is not acknowledged': 0 };
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
    let isMute = false;
    const frontend = new Frontend((message, commits) => {
      if (isMute) return;
      const outcome = commits ? this.endOfCommit() : 'passes';
      if (commits) this.met[outcome] += 1;
      if (outcome === 'is lost') return cut(pair);
      isMute = outcome === 'is not acknowledged';
      server.write(message);
    });
    client.on('data', (data) => frontend.read(data));
    server.on('data', (data) => {
      if (!isMute) client.write(data);
      // The database is ready for the next query: the commit is done.
      else if (data.subarray(-6, -1).equals(READY)) cut(pair);
    });
  }
}

function cut([client, server]: readonly [Socket, Socket]): void {
  client.destroy();
  server.destroy();
}

/** One connection's messages to the database, and which of them commit. */
class Frontend {
  private rest = Buffer.alloc(0);
  private started = false;
  private inTransaction = false;
  private bound: string | null = null;
  /** Prepared statements that write. */
  private readonly writing = new Map<string, boolean>();

  constructor(private readonly pass: (message: Buffer, commits: boolean) => void) {}

  read(data: Buffer): void {
    this.rest = Buffer.concat([this.rest, data]);
    for (;;) {
      // The very first message has no type.
      const type = this.started ? 1 : 0;
      if (this.rest.length < type + 4) return;
      const end = type + this.rest.readInt32BE(type);
      if (this.rest.length < end) return;
      const message = this.rest.subarray(0, end);
      this.rest = this.rest.subarray(end);
      this.pass(message, this.started && this.commits(message));
      this.started = true;
    }
  }

  private commits(message: Buffer): boolean {
    const texts = () => message.subarray(5).toString('latin1').split('\0');
    switch (String.fromCharCode(message[0]!)) {
      case 'Q':
        return this.isCommit(texts()[0]!.toLowerCase());
      case 'P': {
        const [name, query] = texts();
        this.writing.set(name!, WRITES.test(query!));
        return false;
      }
      case 'B':
        this.bound = texts()[1]!;
        return false;
      case 'S': {
        const writes = this.bound !== null && this.writing.get(this.bound) === true;
        this.bound = null;
        return writes && !this.inTransaction;
      }
      default:
        return false;
    }
  }

  private isCommit(query: string): boolean {
    if (query === 'begin') this.inTransaction = true;
    if (query === 'commit' || query === 'rollback') this.inTransaction = false;
    return query === 'commit';
  }
}
