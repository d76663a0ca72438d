import { Agent, request } from 'node:http';

export interface ChainReply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** It ends in the middle. */
  readonly isCut: boolean;
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
        const { statusCode: status = 0, headers: answered } = response;
        let part = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (part += chunk));
        const end = (isCut: boolean) => resolve({ status, type: answered['content-type'] ?? '', body: part, isCut });
        response.once('end', () => end(false));
        response.once('error', () => (signal?.aborted ? reject(new Error('given up')) : end(true)));
      });
      call.once('error', reject);
      call.end(body);
    });
  }
}
