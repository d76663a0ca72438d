import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Result } from '../signer.fixture';

interface Answered {
  readonly results: Result[];
}

/** Stands between service and signer, counts what goes through, and may change what the signer answers. */
export class SignerProxy {
  private readonly server: Server;
  /** Requests in each POST that came, whatever became of it. */
  readonly posts: number[] = [];
  readonly connections = new Set<unknown>();
  /** In place of the signer's answer to a POST. */
  change: (answered: Answered) => unknown = (answered) => answered;
  /** So many POSTs are lost before the signer has them, and so many answers to POSTs after it has given them. */
  losesRequests = 0;
  losesAnswers = 0;
  /** What happens when one is. */
  onLost: () => Promise<unknown> = () => Promise.resolve();

  private constructor(readonly path: string) {
    this.server = createServer((incoming, response) => void this.handle(incoming, response));
  }

  static async open(path: string): Promise<SignerProxy> {
    const proxy = new SignerProxy(path);
    proxy.server.listen(`${path}.proxy`);
    await once(proxy.server, 'listening');
    return proxy;
  }

  get socket(): string {
    return `${this.path}.proxy`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const isSign = incoming.url === '/v1/sign';
    if (isSign) {
      this.posts.push((JSON.parse(body) as { requests: unknown[] }).requests.length);
      this.connections.add(incoming.socket);
    }
    const isNeverThere = isSign && this.losesRequests > 0;
    if (isNeverThere) this.losesRequests -= 1;
    const answer = isNeverThere ? null : await this.pass(incoming.method!, incoming.url!, body);
    const isLost = isNeverThere || (isSign && this.losesAnswers > 0);
    if (isLost && !isNeverThere) this.losesAnswers -= 1;
    if (isLost) await this.onLost();
    if (answer === null || isLost) {
      incoming.socket.destroy();
      return;
    }
    const isChanged = isSign && answer.status === 200;
    const shown = isChanged ? JSON.stringify(this.change(JSON.parse(answer.body) as Answered)) : answer.body;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(shown);
  }

  /** Null: the signer does not answer. */
  private async pass(method: string, path: string, body: string): Promise<{ status: number; body: string } | null> {
    const { promise, resolve } = Promise.withResolvers<{ status: number; body: string } | null>();
    const call = request({ socketPath: this.path, method, path, agent: false }, (response) => {
      text(response).then(
        (read) => resolve({ status: response.statusCode!, body: read }),
        () => resolve(null),
      );
    });
    call.on('error', () => resolve(null));
    call.end(method === 'GET' ? undefined : body);
    return promise;
  }
}
