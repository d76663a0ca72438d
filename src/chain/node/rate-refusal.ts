import type { IncomingHttpHeaders } from 'node:http';

/** A node, or the gateway before it, refuses a call because there were too many. That is no fault of the node. */
export interface RateRefusal {
  readonly kind: 'limited';
  readonly reason: string;
  /** For how long it wants no calls; null when it does not say. */
  readonly waitMs: number | null;
  /** The node itself says that it did nothing. A gateway may have passed the call on to more than one node. */
  readonly untouched: boolean;
}

/** A Retry-After of days is not believed: a quota may have been raised since. */
const LONGEST_WAIT_MS = 300_000;
/** java-tron's own limiter, and what gateways write. */
const OF_THE_NODE = 'lack of computing resources';
const RATE_WORDS =
  /frequency limit|rate.?limit|too many requests|limit exceeded|exceed\w* .{0,40}(?:limit|quota)|suspended for/i;
const SAID_WAIT = /(?:suspended for|retry (?:after|in)|try again in) (\d+) ?s/i;
/** An exception is short; nothing longer is searched for one. */
const LONGEST_EXCEPTION = 1_000;

/** Null for every other answer. java-tron 4.8.2 refuses with HTTP 200 and an `Error`; gateways with 429, 403 or 503. */
export function readRateRefusal(status: number, headers: IncomingHttpHeaders, text: string): RateRefusal | null {
  const untouched = status === 200 && isException(text) && text.includes(OF_THE_NODE);
  if (!untouched && !refusesForRate(status, headers, text)) return null;
  const reason = untouched ? OF_THE_NODE : `HTTP ${status}`;
  return { kind: 'limited', reason, waitMs: saidWaitMs(headers, text), untouched };
}

function refusesForRate(status: number, headers: IncomingHttpHeaders, text: string): boolean {
  if (status === 429) return true;
  if (status === 403) return saysRate(text);
  if (status === 503) return saysRate(text) || headers['retry-after'] !== undefined;
  return status === 200 && isException(text) && saysRate(text);
}

function isException(text: string): boolean {
  return text.length < LONGEST_EXCEPTION && text.includes('"Error"');
}

function saysRate(text: string): boolean {
  return text.length < LONGEST_EXCEPTION && RATE_WORDS.test(text);
}

function saidWaitMs(headers: IncomingHttpHeaders, text: string): number | null {
  const header = headers['retry-after'];
  const seconds = header === undefined ? Number(SAID_WAIT.exec(text.slice(0, LONGEST_EXCEPTION))?.[1]) : Number(header);
  const waitMs = Number.isNaN(seconds) && header ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isNaN(waitMs) ? null : Math.min(LONGEST_WAIT_MS, Math.max(0, waitMs));
}
