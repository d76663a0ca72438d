import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ChainNode } from '../chain/chain.node';
import { answerControl, streamState } from '../control/control.handler';
import { answerFaulty } from '../control/fault.answer';
import { FaultPlan } from '../control/fault.plan';
import { answerCall, html, printError, readCall, unserved, type HttpAnswer } from './node.handler';
import { NodeSight } from './node.sight';

function send(response: ServerResponse, { status, type, body, allow }: HttpAnswer): void {
  const length = { 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, allow === undefined ? { 'content-type': type, ...length } : { allow, ...length });
  response.end(body);
}

export interface EndpointOptions {
  /** Whether `control/*` is served. */
  control: boolean;
  /** Serves one more node of the same chain; gives its URL. */
  openAnother(): Promise<string>;
}

/** One node of the chain, as its callers meet it: with faults and standstills of its own. */
export class NodeEndpoint {
  readonly faults = new FaultPlan();
  readonly sight: NodeSight;

  constructor(
    readonly node: ChainNode,
    readonly options: EndpointOptions,
  ) {
    this.sight = new NodeSight(node);
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    this.answer(request, response)
      .then((answer) => answer && send(response, answer))
      .catch((error: unknown) => {
        console.error(error);
        if (!response.headersSent) send(response, html(500, 'Server Error'));
      });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<HttpAnswer | undefined> {
    const path = (request.url ?? '/').split('?')[0]!.replace(/^\/+|\/+$/g, '');
    if (!this.options.control || !path.startsWith('control/')) return this.answerNode(path, request, response);
    const name = path.slice('control/'.length);
    if (name !== 'state' || request.method !== 'GET') return answerControl(this, name, request);
    streamState(this.node, response);
    return undefined;
  }

  private async answerNode(
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<HttpAnswer | undefined> {
    const refusal = unserved(path, request.method);
    if (refusal) return refusal;
    const fault = this.faults.take(path);
    try {
      const further = fault?.kind === 'lag' ? fault.blocks : 0;
      const call = await readCall(this, request, { path, further });
      return fault ? answerFaulty(path, call, fault, response) : answerCall(path, call);
    } catch (error) {
      return printError(error);
    }
  }
}
