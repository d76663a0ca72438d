import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { ChainNode } from '../chain/chain.node';
import { ConnectionLimit, IDLE_MS } from './connection.limit';
import { NodeEndpoint } from './node.endpoint';

const HOST = '127.0.0.1';

export interface ServerOptions {
  port: number;
  control: boolean;
  /** Served at a time by each node; 0: all. */
  connections: number;
}

export interface ChainServer {
  url: string;
  close(): Promise<void>;
}

/** The node's HTTP API on loopback alone; what `control` adds is not there without it. */
export async function serveChain(node: ChainNode, options: ServerOptions): Promise<ChainServer> {
  const open: ConnectionLimit[] = [];

  async function serve(port: number): Promise<string> {
    const endpoint = new NodeEndpoint(node, { control: options.control, openAnother: () => serve(0) });
    const server = createServer((request, response) => {
      request.socket.setTimeout(0);
      // Jetty names no time for which a connection is kept: a client that knew it would keep its place for as long.
      response.removeHeader('connection');
      endpoint.serve(request, response);
    });
    server.keepAliveTimeout = IDLE_MS;
    const limit = new ConnectionLimit(options.connections, (socket) => server.emit('connection', socket));
    open.push(limit);
    await listen(limit.listener, port);
    return `http://${HOST}:${(limit.listener.address() as AddressInfo).port}`;
  }

  const url = await serve(options.port);
  return { url, close: async () => void (await Promise.all(open.map(shut))) };
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => resolve());
  });

const shut = (limit: ConnectionLimit): Promise<void> =>
  new Promise((resolve) => {
    limit.listener.close(() => resolve());
    limit.closeAll();
  });
