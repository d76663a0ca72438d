import type { IncomingMessage } from 'node:http';
import type { Json, JsonObject } from '../protobuf/json.printer';
import { printJson } from '../protobuf/lossless.json';
import { jsonOfBody, jsonOfQuery, readBody } from './request.reader';
import { PlainError, javaClassOf, type RouteRequest } from './route.model';
import { ROUTES } from './route.table';

export interface HttpAnswer {
  status: number;
  type: string;
  body: string;
  /** For an answer to OPTIONS. */
  allow?: string;
}

const JSON_TYPE = 'application/json;charset=utf-8';
const json = (body: Json | undefined, gap = ''): HttpAnswer => ({
  status: 200,
  type: JSON_TYPE,
  body: body === undefined ? '' : printJson(body, gap),
});

const inHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Jetty's page for an error. */
export function html(status: number, message: string, path = ''): HttpAnswer {
  const rows = [`URI:</th><td>/${inHtml(path)}`, `STATUS:</th><td>${status}`, `MESSAGE:</th><td>${message}`];
  const table = `<table>\n${rows.map((row) => `<tr><th>${row}</td></tr>\n`).join('')}</table>\n`;
  return {
    status,
    type: 'text/html;charset=iso-8859-1',
    body: `<html>\n<head>\n<meta http-equiv="Content-Type" content="text/html;charset=ISO-8859-1"/>\n<title>Error ${status} ${message}</title>\n</head>\n<body><h2>HTTP ERROR ${status} ${message}</h2>\n${table}\n</body>\n</html>\n`,
  };
}

/** An error as the node words it. */
export function printError(error: unknown): HttpAnswer {
  if (error instanceof PlainError) return json({ Error: error.message });
  const className = javaClassOf(error);
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
  { node, sight }: Pick<RouteRequest, 'node' | 'sight'>,
  request: IncomingMessage,
  { path, further = 0 }: NodeCall,
): Promise<RouteRequest> {
  const route = ROUTES.get(path)!;
  const url = new URL(request.url ?? '/', 'http://localhost');
  const fromQuery = isGet(request.method);
  const body = fromQuery ? '' : await readBody(request);
  let fields: JsonObject | undefined;
  let unreadable: unknown;
  try {
    const asQuery = fromQuery || route.bodyless;
    fields = asQuery ? jsonOfQuery(url.searchParams) : jsonOfBody(body, request.headers['content-type']);
  } catch (error) {
    if (!route.tolerant || !javaClassOf(error)) throw error;
    unreadable = error;
  }
  const solid = path.startsWith('walletsolidity/');
  const flag = fields?.['visible'];
  const visible = flag === true || (typeof flag === 'string' && flag.toLowerCase() === 'true');
  const form = request.headers['content-type']?.includes('form-urlencoded') && !body.trim().startsWith('{');
  return {
    node,
    sight,
    solid,
    visible,
    json: fields,
    body,
    unreadable,
    fromQuery: fromQuery || Boolean(form && body.trim() !== ''),
    get view() {
      return solid ? sight.solidView(further) : sight.walletView();
    },
  };
}

/** @param change what a fault makes of the answer */
export function answerCall(
  path: string,
  request: RouteRequest,
  change = (answer: Json | undefined): Json | undefined => answer,
): HttpAnswer {
  const route = ROUTES.get(path)!;
  return json(change(route.answer(request)), route.spaced ? ' ' : '');
}

/** A servlet answers HEAD as GET, whose body its container leaves out. */
const isGet = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD';

/** As HttpServlet lists the methods that a servlet has; where there is none, that of the page 404. */
function allowed(route: { postOnly?: boolean } | undefined): string {
  const reads = route?.postOnly ? [] : ['GET', 'HEAD'];
  return [...reads, ...(route ? ['POST'] : []), 'TRACE', 'OPTIONS'].join(', ');
}

/** What Jetty, or a servlet that does nothing, answers to a path and method; undefined for what a route of the node answers. */
export function unserved(path: string, method = 'GET'): HttpAnswer | undefined {
  const route = ROUTES.get(path);
  if (method === 'OPTIONS') return { ...json(undefined), allow: allowed(route) };
  if (route && method === 'POST') return undefined;
  if (isGet(method) && !route) return html(404, 'Not Found', path);
  if (isGet(method) && route?.silentGet) return json(undefined);
  if (isGet(method) && !route?.postOnly) return undefined;
  return html(405, `HTTP method ${method} is not supported by this URL`, path);
}
