import { readFileSync } from 'node:fs';
import { Agent as PlainAgent, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent as TlsAgent, type AgentOptions, request as tlsRequest } from 'node:https';
import type { SignerPlace } from '../../../../config/signer';

const TIMEOUT = 'time-out';
/** Where no process listens. */
const REFUSED = new Set(['ECONNREFUSED', 'ENOENT', 'EACCES', 'EHOSTUNREACH', 'ENETUNREACH']);
/** A hundred results are 25,000 bytes. */
const MOST_ANSWER_BYTES = 1_000_000;
/** Before the signer closes it, perhaps in the middle of a request: it does so after 30 seconds. */
const IDLE_MS = 20_000;

/** One for each key that is slow. */
const MOST_CONNECTIONS = 50;

/** The signer has given no answer of the form that was agreed, or none at all. */
export class NoSignerAnswerError extends Error {
  constructor(readonly reason: string) {
    super(`the signer gave no answer: ${reason}`);
    this.name = 'NoSignerAnswerError';
  }

  get isTimeout(): boolean {
    return this.reason === TIMEOUT;
  }

  get isRefused(): boolean {
    return REFUSED.has(this.reason);
  }
}

export interface SignerRequest {
  readonly path: '/v1/sign' | '/v1/health';
  /** None: a GET. */
  readonly body?: unknown;
  readonly timeoutMs: number;
  /** On a connection of its own, that no other request waits for or breaks. */
  readonly alone?: boolean;
}

/** HTTP with the signer, by a connection that is kept open, and others while a slow key's request has that one. */
export class SignerConnection {
  private readonly kept: PlainAgent;

  constructor(private readonly place: SignerPlace) {
    this.kept = this.agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS, timeout: IDLE_MS });
  }

  /** The JSON of a 200. @throws NoSignerAnswerError */
  async ask({ path, body, timeoutMs, alone = false }: SignerRequest): Promise<unknown> {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const agent = alone ? this.agent({ keepAlive: false }) : this.kept;
    try {
      const answer = await this.send(path, bytes, agent, timeoutMs);
      return JSON.parse(answer) as unknown;
    } catch (error) {
      if (error instanceof NoSignerAnswerError) throw error;
      throw new NoSignerAnswerError(error instanceof SyntaxError ? 'its answer is not JSON' : reasonOf(error));
    }
  }

  close(): void {
    this.kept.destroy();
  }

  /** Certificates are read for each agent's connections: a new one needs no restart. */
  private agent(options: AgentOptions): PlainAgent {
    return this.place.kind === 'unix' ? new PlainAgent(options) : new TlsAgent({ ...options, maxCachedSessions: 0 });
  }

  private target() {
    if (this.place.kind === 'unix') return { socketPath: this.place.path };
    const { host, port, certFile, keyFile, caFile } = this.place;
    const [cert, key, ca] = [certFile, keyFile, caFile].map((file) => readFileSync(file));
    return { host, port, cert, key, ca, minVersion: 'TLSv1.3' as const };
  }

  private send(path: string, body: Buffer | undefined, agent: PlainAgent, timeoutMs: number): Promise<string> {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = body && { 'content-type': 'application/json', 'content-length': body.length };
    const request = this.place.kind === 'unix' ? plainRequest : tlsRequest;
    return new Promise<string>((resolve, reject) => {
      let [isBegun, isRead] = [false, false];
      const call = request({ ...this.target(), method, path, headers, agent }, (response) => {
        isBegun = true;
        textOf(response).then((text) => {
          isRead = true;
          clearTimeout(timer);
          if (response.statusCode === 200) resolve(text);
          else reject(new NoSignerAnswerError(`HTTP ${response.statusCode}`));
        }, fail);
      });
      const fail = (error: Error) => {
        // By then the connection may be another request's.
        if (isRead) return;
        clearTimeout(timer);
        call.destroy(error);
        reject(error);
      };
      // Timers run before sockets are read: a process that stood still for so long looks first for an answer that lies there.
      const timer = setTimeout(() => setImmediate(fail, new NoSignerAnswerError(TIMEOUT)), timeoutMs);
      call.on('error', fail);
      // An answer that breaks off fails in its reader.
      call.once('close', () => !isBegun && fail(new NoSignerAnswerError('the connection was closed')));
      call.end(body);
    });
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_ANSWER_BYTES) throw new NoSignerAnswerError('its answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  return code ?? message;
}
