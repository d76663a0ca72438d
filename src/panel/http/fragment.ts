import type { IncomingMessage } from 'node:http';

/**
 * A page that keeps itself up to date asks for its content alone. Nobody may be there to read it: it neither keeps the session alive nor
 * takes a notice.
 */
export function asksForFragment({ headers }: IncomingMessage): boolean {
  return headers['panel-fragment'] !== undefined;
}
