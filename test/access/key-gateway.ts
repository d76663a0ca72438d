import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ChainHttp } from '../support/chain-http';
import type { KnownSecrets } from './known-secrets';
import { random } from './secret-settings';

/** With the colon six bytes, so that base64 of both shows that of the password. */
const USER = 'owner';

/** A provider's gateway before a node: takes a password and a key in its path, and says both back when it fails. */
export class KeyGateway {
  isFailing = false;
  /** Calls without the key or the password. */
  readonly refused: string[] = [];
  private readonly onward = new ChainHttp(40);
  private readonly server: Server;

  private constructor(
    private readonly node: string,
    private readonly password: string,
    private readonly path: string,
  ) {
    const authorization = `Basic ${Buffer.from(`${USER}:${password}`).toString('base64')}`;
    this.server = createServer((request, response) => {
      const url = request.url!;
      const isAllowed = url.startsWith(`${path}/`) && request.headers.authorization === authorization;
      if (!isAllowed) this.refused.push(url);
      if (isAllowed && !this.isFailing) void this.pass(request, response);
      else {
        response.writeHead(isAllowed ? 503 : 401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ Error: `${url} ${password} ${authorization}` }));
      }
    });
  }

  static async open(node: string, known: KnownSecrets): Promise<KeyGateway> {
    const [password, key] = [random(), random()];
    known.add('the password of the node', password);
    known.add('the key in the path of the node', key);
    const gateway = new KeyGateway(node, password, `/v1/${key}`);
    await new Promise<void>((done) => gateway.server.listen(0, '127.0.0.1', done));
    return gateway;
  }

  /** What may be shown of it. */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${USER}:${this.password}@${this.host}${this.path}`;
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = `${this.node}${request.url!.slice(this.path.length)}`;
      const { status, type, body, isCut } = await this.onward.post(url, await text(request));
      response.writeHead(status, { 'content-type': type });
      if (isCut) response.write(body, () => response.destroy());
      else response.end(body);
    } catch {
      response.destroy();
    }
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
