import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RefusalError } from '../refusal';
import type { Signer, SignRequest, SignResult } from '../signer';
import { Bodies, BodyError } from './body';
import { parseSignRequests } from './sign.request';

/** Requests of one connection that wait for their answers. A client sends the next one after the answer, so this many is a fault of its own. */
const MOST_IN_FLIGHT = 10;

/** The two routes. */
export class SignHandler {
  private readonly bodies = new Bodies();
  private readonly inFlight = new WeakMap<Socket, number>();

  constructor(private readonly signer: Signer) {}

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Node takes it from the request when a client has gone.
    const { socket } = request;
    if (!this.admits(socket, response)) return;
    try {
      send(response, 200, await this.answer(request));
    } catch (error) {
      // The client has gone, or it sends more than it may: what is left of its body is not read.
      const { status, message } = error instanceof BodyError ? error : new BodyError(400, 'the body was cut short');
      response.shouldKeepAlive = request.complete && response.shouldKeepAlive;
      send(response, status, { error: status === 503 ? 'backend' : 'unreadable', message });
      if (!request.complete) response.once('finish', () => socket.destroySoon());
    }
  }

  private admits(socket: Socket, response: ServerResponse): boolean {
    const count = (this.inFlight.get(socket) ?? 0) + 1;
    if (count > MOST_IN_FLIGHT) {
      socket.destroy();
      return false;
    }
    this.inFlight.set(socket, count);
    response.once('close', () => this.inFlight.set(socket, this.inFlight.get(socket)! - 1));
    return true;
  }

  private async answer(request: IncomingMessage): Promise<unknown> {
    const { method, url } = request;
    if (url === '/v1/sign') {
      if (method !== 'POST') throw new BodyError(405, '/v1/sign takes POST');
      return this.bodies.read(request, async (body) => this.sign(parseSignRequests(body)));
    }
    if (url !== '/v1/health') throw new BodyError(404, 'the routes are POST /v1/sign and GET /v1/health');
    if (method !== 'GET') throw new BodyError(405, '/v1/health takes GET');
    return this.bodies.read(request, () => this.signer.health());
  }

  private async sign(requests: readonly (SignRequest | null)[]): Promise<unknown> {
    const signed = await this.signer.sign(requests.filter((one) => one !== null));
    const results = requests.map((one) => (one === null ? UNREADABLE : signed.shift()!));
    return { results: results.map(resultJson) };
  }
}

const UNREADABLE = new RefusalError('unreadable', 'a request must be {"key", "raw_data_hex"}, both texts');

function resultJson(result: SignResult): object {
  return result instanceof RefusalError ? { error: result.code, message: result.message } : result;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
  response.end(bytes);
}
