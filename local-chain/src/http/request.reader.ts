import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '../protobuf/json.printer';
import { parseJson } from '../protobuf/lossless.json';
import { JavaError, jsonError, nullPointer } from './route.model';

const MOST_BYTES = 4 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= MOST_BYTES) parts.push(part);
  }
  if (size > MOST_BYTES) throw new JavaError('java.lang.Exception', `body size is too big, the limit is ${MOST_BYTES}`);
  return Buffer.concat(parts).toString('utf8');
}

/** An empty body is an error on some routes only. A form is read by its names, unless it is JSON after all, as curl sends it. */
export function jsonOfBody(body: string, contentType: string | undefined): JsonObject | undefined {
  const text = body.trim();
  if (text === '') return undefined;
  if (contentType?.includes('application/x-www-form-urlencoded') && !text.startsWith('{'))
    return jsonOfQuery(new URLSearchParams(text));
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (error) {
    throw jsonError((error as Error).message);
  }
  if (json === null) throw nullPointer();
  if (typeof json !== 'object' || Array.isArray(json)) throw jsonError('can not cast to JSONObject.');
  return json as JsonObject;
}

export const jsonOfQuery = (query: URLSearchParams): JsonObject => Object.fromEntries(query);
