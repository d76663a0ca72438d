import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { ChainNode } from '../chain/chain.node';
import { answerControl, streamState } from '../control/control.handler';
import { answerFaulty } from '../control/fault.answer';
import { FaultPlan } from '../control/fault.plan';
import { ConnectionLimit, IDLE_MS } from './connection.limit';
import { answerCall, html, printError, readCall, unserved, type HttpAnswer } from './node.handler';

const HOST = '127.0.0.1';

function send(response: ServerResponse, { status, type, body }: HttpAnswer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

export interface ServerOptions {
  port: number;
  control: boolean;
  /** Served at a time; 0: all. */
  connections: number;
}

export interface ChainServer {
  url: string;
  close(): Promise<void>;
}

/** The node's HTTP API on loopback alone; what `control` adds is not there without it. */
export async function serveChain(node: ChainNode, options: ServerOptions): Promise<ChainServer> {
  const faults = new FaultPlan();

  async function answerNode(
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<HttpAnswer | undefined> {
    const refusal = unserved(path, request.method);
    if (refusal) return refusal;
    const fault = faults.take(path);
    try {
      const call = await readCall(node, request, { path, further: fault?.kind === 'lag' ? fault.blocks : 0 });
      return fault ? answerFaulty(path, call, fault, response) : answerCall(path, call);
    } catch (error) {
      return printError(error);
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<HttpAnswer | undefined> {
    const path = (request.url ?? '/').split('?')[0]!.replace(/^\/+|\/+$/g, '');
    if (!options.control || !path.startsWith('control/')) return answerNode(path, request, response);
    const name = path.slice('control/'.length);
    if (name !== 'state' || request.method !== 'GET') return answerControl(node, faults, name, request);
    streamState(node, response);
    return undefined;
  }

  const server = createServer((request, response) => {
    request.socket.setTimeout(0);
    // Jetty names no time for which a connection is kept: a client that knew it would keep its place for as long.
    response.removeHeader('connection');
    handle(request, response)
      .then((answer) => answer && send(response, answer))
      .catch((error: unknown) => {
        console.error(error);
        if (!response.headersSent) send(response, html(500, 'Server Error'));
      });
  });
  server.keepAliveTimeout = IDLE_MS;
  const limit = new ConnectionLimit(options.connections, (socket) => server.emit('connection', socket));
  await listen(limit.listener, options.port);
  return { url: `http://${HOST}:${(limit.listener.address() as AddressInfo).port}`, close: () => shut(limit) };
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
