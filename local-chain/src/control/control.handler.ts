import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ChainNode } from '../chain/chain.node';
import { ChainControlError } from '../chain/control.error';
import type { HttpAnswer } from '../http/node.handler';
import { jsonOfBody, readBody } from '../http/request.reader';
import { JavaError } from '../http/route.model';
import type { JsonObject } from '../protobuf/json.printer';
import { printJson } from '../protobuf/lossless.json';
import { CONTROL_ROUTES } from './control.routes';
import type { ControlledNode } from './controlled.node';
import { reportState } from './state.report';

const json = (status: number, body: JsonObject): HttpAnswer => ({
  status,
  type: 'application/json',
  body: printJson(body),
});

export function streamState(node: ChainNode, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  Readable.from(reportState(node)).pipe(response);
}

export async function answerControl(
  endpoint: ControlledNode,
  name: string,
  request: IncomingMessage,
): Promise<HttpAnswer> {
  const route = CONTROL_ROUTES.get(name);
  if (!route) return json(404, { error: `unknown control route ${name}` });
  if (request.method !== 'POST') return json(405, { error: `control/${name} takes POST` });
  try {
    const body = jsonOfBody(await readBody(request), request.headers['content-type']) ?? {};
    return json(200, await route(endpoint.node, body, endpoint));
  } catch (error) {
    if (error instanceof ChainControlError || error instanceof JavaError) return json(400, { error: error.message });
    throw error;
  }
}
