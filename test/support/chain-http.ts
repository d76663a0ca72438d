import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface ChainReply {
  readonly status: number;
  readonly body: string;
}

/** Calls to a local chain over so few connections that the service keeps its forty of the fifty that it serves. */
export class ChainHttp {
  private readonly agent: Agent;

  constructor(connections: number) {
    this.agent = new Agent({ keepAlive: true, timeout: 4_000, maxSockets: connections });
  }

  post(url: string, body: string, signal?: AbortSignal): Promise<ChainReply> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const call = request(url, { method: 'POST', headers, agent: this.agent, signal }, (response) => {
        text(response).then((answer) => resolve({ status: response.statusCode!, body: answer }), reject);
      });
      call.once('error', reject);
      call.end(body);
    });
  }
}
