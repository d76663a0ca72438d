import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const HEADER = 'X-Request-Id';
const SANE = /^[\w.:-]{1,128}$/;

/** The caller's own id when it is a plain one, else a new one; the same for every call with one response. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): string {
  const assigned = response.getHeader(HEADER);
  if (typeof assigned === 'string') return assigned;
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && SANE.test(given) ? given : randomUUID();
  response.setHeader(HEADER, id);
  // Where pino looks for it.
  Object.assign(request, { id });
  return id;
}
