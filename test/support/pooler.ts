import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What PgBouncer keeps for each client and gives the server's connection (`varcache`), beside user and database. */
const TRACKED = ['client_encoding', 'datestyle', 'timezone', 'standard_conforming_strings', 'application_name'];
const NEEDED = ['user', 'database'];
const PROTOCOL_BYTES = 8;

/** From a connection's first message PgBouncer passes on what it knows, drops what it is told to ignore, and refuses the rest. */
export class Pooler {
  private constructor(
    private readonly server: Server,
    private readonly sockets: ReadonlySet<Socket>,
    readonly url: string,
  ) {}

  static async before(databaseUrl: string, ignored: readonly string[]): Promise<Pooler> {
    const sockets = new Set<Socket>();
    const { hostname, port } = new URL(databaseUrl);
    const server = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => [client, upstream].forEach((other) => other.destroy()));
      }
      client.once('data', (data) => {
        const first = firstMessage(data, ignored);
        if (typeof first === 'string') {
          client.end(refusal(`unsupported startup parameter: ${first}`));
          return;
        }
        upstream.write(first);
        client.pipe(upstream).pipe(client);
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port: own } = server.address() as AddressInfo;
    return new Pooler(server, sockets, Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${own}` }).href);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((done) => this.server.close(done));
  }
}

/** As it is passed on; or the name of what is refused. */
function firstMessage(data: Buffer, ignored: readonly string[]): Buffer | string {
  const texts = data.toString('utf8', PROTOCOL_BYTES).split('\0');
  const passed: string[] = [];
  for (let at = 0; at + 1 < texts.length && texts[at] !== ''; at += 2) {
    const name = texts[at]!;
    if (ignored.includes(name)) continue;
    if (![...NEEDED, ...TRACKED].includes(name.toLowerCase())) return name;
    passed.push(name, texts[at + 1]!);
  }
  const body = Buffer.from(`${passed.map((text) => `${text}\0`).join('')}\0`);
  const head = Buffer.from(data.subarray(0, PROTOCOL_BYTES));
  head.writeInt32BE(PROTOCOL_BYTES + body.length);
  return Buffer.concat([head, body]);
}

/** An error of PostgreSQL's protocol. */
function refusal(message: string): Buffer {
  const body = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}
