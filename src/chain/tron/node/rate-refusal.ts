import type { IncomingHttpHeaders } from 'node:http';

/** A node, or the gateway before it, refuses a call because there were too many. The node is not at fault. */
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
/** In an error of any status: that a limit is exceeded. More words could speak of something else, such as a range of blocks that is too long. */
const LIMIT_WORDS = /(?:limit|quota) (?:(?:is|was|has been) )?(?:exceeded|reached)/i;
const RATE_WORDS = /frequency limit|rate.?limit|too many requests|exceed\w* .{0,40}(?:limit|quota)|suspended for/i;
const SAID_WAIT = /(?:suspended for|retry (?:after|in)|try again in) (\d+) ?s/i;
/** With status 200, what is longer is an answer. */
const LONGEST_EXCEPTION = 1_000;
/** A gateway says it on a page, perhaps. */
const LONGEST_PAGE = 8_000;
/** The limit of a question's length. */
const TOO_LARGE = 413;

/** Null for every other answer. java-tron 4.8.2 refuses with HTTP 200 and an `Error`; gateways with 429, 403, 503 or any other status. */
export function readRateRefusal(
  status: number,
  headers: IncomingHttpHeaders,
  body: Buffer | string,
): RateRefusal | null {
  const isAnswer = status === 200 && body.length > LONGEST_EXCEPTION;
  const text = isAnswer ? '' : body.toString('utf8').slice(0, LONGEST_PAGE);
  const untouched = status === 200 && isException(text) && text.includes(OF_THE_NODE);
  if (!untouched && !refusesForRate(status, headers, text)) return null;
  const reason = untouched ? OF_THE_NODE : `HTTP ${status}`;
  return { kind: 'limited', reason, waitMs: saidWaitMs(headers, text), untouched };
}

function refusesForRate(status: number, headers: IncomingHttpHeaders, text: string): boolean {
  if (status === 429) return true;
  const saysLimit = LIMIT_WORDS.test(text);
  const saysRate = saysLimit || RATE_WORDS.test(text);
  if (status === 403 || status === 503) return saysRate || headers['retry-after'] !== undefined;
  if (status === 200) return (isException(text) && saysRate) || (/"(?:error|message)"/.test(text) && saysLimit);
  return status >= 400 && status !== TOO_LARGE && saysLimit;
}

function isException(text: string): boolean {
  return text.includes('"Error"');
}

/** Null as well for no time at all: asked at once, it would be asked without end. */
function saidWaitMs(headers: IncomingHttpHeaders, text: string): number | null {
  const header = headers['retry-after'];
  const seconds = header === undefined ? Number(SAID_WAIT.exec(text)?.[1]) : Number(header);
  const waitMs = Number.isNaN(seconds) && header ? Date.parse(header) - Date.now() : seconds * 1000;
  return waitMs > 0 ? Math.min(LONGEST_WAIT_MS, waitMs) : null;
}
