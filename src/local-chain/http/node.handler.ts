import type { IncomingMessage } from 'node:http';
import type { ChainNode } from '../chain/chain.node';
import { JsonFormatError } from '../protobuf/json.parser';
import type { Json } from '../protobuf/json.printer';
import { printJson } from '../protobuf/lossless.json';
import { InvalidWireError } from '../protobuf/wire.codec';
import { jsonOfBody, jsonOfQuery, readBody } from './request.reader';
import { JavaError, PlainError, type RouteRequest } from './route.model';
import { ROUTES } from './route.table';

export interface HttpAnswer {
  status: number;
  type: string;
  body: string;
}

const JSON_TYPE = 'application/json;charset=utf-8';
const json = (body: Json, gap = ''): HttpAnswer => ({ status: 200, type: JSON_TYPE, body: printJson(body, gap) });

export const html = (status: number, message: string): HttpAnswer => ({
  status,
  type: 'text/html;charset=iso-8859-1',
  body: `<html>\n<head>\n<meta http-equiv="Content-Type" content="text/html;charset=ISO-8859-1"/>\n<title>Error ${status} ${message}</title>\n</head>\n<body><h2>HTTP ERROR ${status} ${message}</h2></body>\n</html>\n`,
});

const classOf = (error: unknown): string | undefined => {
  if (error instanceof JavaError) return error.className;
  if (error instanceof JsonFormatError) return 'org.tron.core.services.http.JsonFormat$ParseException';
  return error instanceof InvalidWireError ? 'com.google.protobuf.InvalidProtocolBufferException' : undefined;
};

/** An error as the node words it; anything of our own making is not dressed up as one. */
export function printError(error: unknown): HttpAnswer {
  if (error instanceof PlainError) return json({ Error: error.message });
  const className = classOf(error);
  if (!className) throw error;
  return json({ Error: `class ${className} : ${(error as Error).message}` });
}

export interface NodeCall {
  path: string;
  /** The view of `walletsolidity` is this many blocks further behind than usual. */
  further?: number;
}

/** Reads a request to a node's route, up to the point of answering it. */
export async function readCall(
  node: ChainNode,
  request: IncomingMessage,
  { path, further = 0 }: NodeCall,
): Promise<RouteRequest> {
  const route = ROUTES.get(path)!;
  const url = new URL(request.url ?? '/', 'http://localhost');
  const fromQuery = request.method === 'GET';
  const body = fromQuery ? '' : await readBody(request);
  const fields =
    fromQuery || route.bodyless ? jsonOfQuery(url.searchParams) : jsonOfBody(body, request.headers['content-type']);
  const solid = path.startsWith('walletsolidity/');
  const flag = fields?.['visible'];
  const visible = flag === true || (typeof flag === 'string' && flag.toLowerCase() === 'true');
  const form = request.headers['content-type']?.includes('form-urlencoded') && !body.trim().startsWith('{');
  return {
    node,
    solid,
    visible,
    json: fields,
    fromQuery: fromQuery || Boolean(form && body.trim() !== ''),
    get view() {
      return solid ? node.solidView(further) : node.walletView();
    },
  };
}

export function answerCall(path: string, request: RouteRequest): HttpAnswer {
  const route = ROUTES.get(path)!;
  return json(route.answer(request), route.spaced ? ' ' : '');
}

/** Whether a path and method are a route of the node; else what Jetty answers. */
export function missing(path: string, method: string | undefined): HttpAnswer | undefined {
  const route = ROUTES.get(path);
  if (route && (method === 'POST' || (method === 'GET' && !route.postOnly))) return undefined;
  return method === 'GET' && !route ? html(404, 'Not Found') : html(405, 'HTTP method is not supported by this URL');
}
