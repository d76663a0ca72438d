import { once } from 'node:events';
import { createServer as createPlainServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Signer } from '../signer';
import { SignHandler } from './sign.handler';

/** Clients that send or read slowly are cut off after these. */
const LIMITS: ServerOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 60_000,
  maxHeaderSize: 8_192,
};
const MOST_CONNECTIONS = 1_000;
const MOST_IDLE_MS = 30_000;
const HANDSHAKE_MS = 5_000;
const CLOSING_MS = 10_000;

/** What a TLS server shows, and by whose authority its clients are known. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  /** One certificate or more. */
  readonly clientCa: readonly string[];
}

export class SignServer {
  private readonly server: Server;

  constructor(signer: Signer, tls?: TlsFiles) {
    const handler = new SignHandler(signer);
    this.server = tls
      ? createTlsServer({
          ...LIMITS,
          cert: tls.cert,
          key: tls.key,
          ca: [...tls.clientCa],
          minVersion: 'TLSv1.3',
          requestCert: true,
          rejectUnauthorized: true,
          handshakeTimeout: HANDSHAKE_MS,
        })
      : createPlainServer(LIMITS);
    this.server.maxConnections = MOST_CONNECTIONS;
    this.server.timeout = MOST_IDLE_MS;
    this.server.on('request', (request, response) => void handler.handle(request, response));
  }

  async listen(where: { path: string } | { host: string; port: number }): Promise<void> {
    this.server.listen(where);
    await once(this.server, 'listening');
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** Ends when the requests that are under way are answered. */
  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    const impatient = setTimeout(() => this.server.closeAllConnections(), CLOSING_MS);
    this.server.close();
    await closed;
    clearTimeout(impatient);
  }
}
