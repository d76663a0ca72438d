import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChainNode } from '../chain/chain.node';
import { answerControl, streamState } from '../control/control.handler';
import { answerFaulty } from '../control/fault.answer';
import { FaultPlan } from '../control/fault.plan';
import { answerCall, html, missing, printError, readCall, type HttpAnswer } from './node.handler';

const HOST = '127.0.0.1';

function send(response: ServerResponse, { status, type, body }: HttpAnswer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

export interface ChainServer {
  url: string;
  close(): Promise<void>;
}

/** The node's HTTP API on loopback alone; what `control` adds is not there without it. */
export async function serveChain(node: ChainNode, options: { port: number; control: boolean }): Promise<ChainServer> {
  const faults = new FaultPlan();

  async function answerNode(
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<HttpAnswer | undefined> {
    const unknown = missing(path, request.method);
    if (unknown) return unknown;
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
    handle(request, response)
      .then((answer) => answer && send(response, answer))
      .catch((error: unknown) => {
        console.error(error);
        if (!response.headersSent) send(response, html(500, 'Server Error'));
      });
  });
  // Longer than any client keeps one, or a request may meet a connection that is just being closed.
  server.keepAliveTimeout = 120_000;
  await listen(server, options.port);
  return { url: `http://${HOST}:${(server.address() as AddressInfo).port}`, close: () => shut(server) };
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => resolve());
  });

const shut = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
