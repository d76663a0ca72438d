import { EnergyError, NoAnswerError } from './errors.ts';

export interface HttpOptions {
  /** Of the service, e.g. `https://energy.example.com`. */
  readonly baseUrl: string;
  readonly token: string;
  /** How long one attempt may take. The service answers orders within about 10 s, so less than that asks for time-outs. */
  readonly timeoutMs?: number;
  /** How often a call is sent at most. */
  readonly attempts?: number;
  /** How long a call may wait between its attempts, all in all. A longer `Retry-After` ends it instead. */
  readonly patienceMs?: number;
  readonly fetch?: typeof globalThis.fetch;
  /** Waits between attempts; for tests. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal | undefined;
  /** What a success has beside `success: true`. */
  readonly answers: 'txid' | 'data';
}

export interface Answer {
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

type Attempt = { readonly answer: Answer } | FailedAttempt;
interface FailedAttempt {
  readonly answer?: never;
  readonly error: EnergyError | NoAnswerError;
  /** Sending the same bytes again may bring another answer. */
  readonly isRepeatable: boolean;
  readonly retryAfterSeconds?: number | undefined;
}

/** For so long a lost attempt may still become an order: the service begins to write it 10 s after the call came at the latest, and cuts a statement after 15 s. */
const UNDECIDED_MS = 30_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/** Calls that may be sent again: reads, and orders with their key. */
export class Http {
  private readonly base: string;
  private readonly timeoutMs: number;
  private readonly attempts: number;
  private readonly patienceMs: number;
  private readonly fetch: typeof globalThis.fetch;
  private readonly wait: NonNullable<HttpOptions['wait']>;
  private readonly token: string;
  /** By key: when its lost attempt is decided, by `performance.now()`. A caller may repeat a call at once that ended without an answer. */
  private readonly decidedAtMs = new Map<string, number>();

  constructor(options: HttpOptions) {
    this.base = options.baseUrl.replace(/\/+$/, '');
    this.token = options.token;
    this.timeoutMs = options.timeoutMs ?? 30_000;
    this.attempts = options.attempts ?? 5;
    this.patienceMs = options.patienceMs ?? 60_000;
    this.fetch = options.fetch ?? ((...given) => globalThis.fetch(...given));
    this.wait = options.wait ?? wait;
  }

  /** @throws EnergyError the refusal that was answered; NoAnswerError when it is not known what became of the call */
  async call(call: Call): Promise<Answer> {
    let patienceMs = this.patienceMs;
    let undecidedMs = this.undecidedMs(call);
    for (let attempt = 1; ; attempt += 1) {
      const made = await this.attempt(call);
      if (made.answer) return made.answer;
      if (made.error instanceof NoAnswerError) undecidedMs = this.lose(call);
      const isEarly = !made.isRepeatable && undecidedMs !== null && undecidedMs > 0 && deniesOrder(made.error);
      const waitMs = isEarly ? undecidedMs! : waitBefore(attempt, made.retryAfterSeconds);
      if (!(made.isRepeatable || isEarly) || attempt >= this.attempts || waitMs > patienceMs)
        throw concluded(made.error, undecidedMs);
      patienceMs -= waitMs;
      if (undecidedMs !== null) undecidedMs -= waitMs;
      try {
        await this.wait(waitMs, call.signal);
      } catch (cause) {
        throw new NoAnswerError(cause, call.idempotencyKey);
      }
    }
  }

  pause(ms: number, signal?: AbortSignal): Promise<void> {
    return this.wait(ms, signal);
  }

  /** Null: no attempt with its key was lost of late. */
  private undecidedMs({ idempotencyKey: key }: Call): number | null {
    const nowMs = performance.now();
    for (const [known, atMs] of this.decidedAtMs) if (atMs <= nowMs) this.decidedAtMs.delete(known);
    const atMs = key === undefined ? undefined : this.decidedAtMs.get(key);
    return atMs === undefined ? null : atMs - nowMs;
  }

  private lose({ idempotencyKey: key }: Call): number {
    if (key !== undefined) this.decidedAtMs.set(key, performance.now() + UNDECIDED_MS);
    return UNDECIDED_MS;
  }

  private async attempt(call: Call): Promise<Attempt> {
    const timeout = AbortSignal.timeout(this.timeoutMs);
    try {
      const response = await this.fetch(this.urlOf(call), {
        method: call.method,
        headers: this.headersOf(call),
        signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
        // The token is for this host alone.
        redirect: 'error',
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      });
      const body = parse(await response.text());
      if (response.status === 200 && body?.['success'] === true && body[call.answers])
        return { answer: { headers: response.headers, body } };
      if (response.status >= 400 && response.headers.has('x-error-code')) return refused(response, body, call);
      // A gateway, or an answer that was cut off: whether the call has arrived is not known.
      const cause = new Error(`Status ${response.status}, not as the service answers`);
      return this.unanswered(call, cause, secondsOf(response.headers.get('retry-after')));
    } catch (cause) {
      return this.unanswered(call, cause);
    }
  }

  private unanswered({ idempotencyKey, signal }: Call, cause: unknown, retryAfterSeconds?: number): FailedAttempt {
    return {
      error: new NoAnswerError(cause, idempotencyKey),
      isRepeatable: signal?.aborted !== true,
      retryAfterSeconds,
    };
  }

  private urlOf({ path, query = {} }: Call): string {
    const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const search = new URLSearchParams(given).toString();
    return `${this.base}${path}${search && '?'}${search}`;
  }

  private headersOf({ body, idempotencyKey }: Call): Record<string, string> {
    return {
      authorization: `Bearer ${this.token}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
  }
}

/** With status 400, these alone are given after the service has looked for the order of an earlier attempt and found none. */
const LOOKED_FOR_ORDER: readonly unknown[] = [
  'RECEIVER_NOT_ACTIVATED',
  'RECEIVER_IS_CONTRACT',
  'RECEIVER_NOT_ALLOWED',
  'COST_ABOVE_MAX',
];

/** There was no order with its key by then. */
function deniesOrder(error: EnergyError | NoAnswerError): boolean {
  if (error instanceof NoAnswerError || error.idempotencyKey === undefined || error.delegationId !== undefined)
    return false;
  return error.status === 501 || LOOKED_FOR_ORDER.includes(error.code);
}

/**
 * A refusal tells what became of an attempt whose answer was lost only where it names the order or says that another has the key, or where it
 * comes after the look for the order, and so late that none can be written any more.
 */
function concluded(error: EnergyError | NoAnswerError, undecidedMs: number | null): EnergyError | NoAnswerError {
  if (undecidedMs === null || error instanceof NoAnswerError || error.idempotencyKey === undefined) return error;
  const isOfAnOrder = error.delegationId !== undefined || error.code === 'IDEMPOTENCY_KEY_REUSED';
  const tells = isOfAnOrder || (undecidedMs <= 0 && deniesOrder(error));
  return tells ? error : new NoAnswerError(error, error.idempotencyKey);
}

function refused(
  { status, headers }: Response,
  body: Answer['body'] | undefined,
  { idempotencyKey }: Call,
): FailedAttempt {
  const delegationId = headers.get('x-delegation-id') ?? undefined;
  const retryAfterSeconds = secondsOf(headers.get('retry-after'));
  const error = new EnergyError(typeof body?.['error'] === 'string' ? body['error'] : `Status ${status}`, {
    status,
    code: headers.get('x-error-code') ?? undefined,
    details: body?.['details'] as EnergyError['details'],
    requestId: headers.get('x-request-id') ?? undefined,
    delegationId,
    retryAfterSeconds,
    idempotencyKey,
  });
  // With an order it is that order's answer, and stays it. A 501 without Retry-After waits for money, not for time.
  const isTransient = status === 429 || (status >= 500 && (status !== 501 || retryAfterSeconds !== undefined));
  return { error, isRepeatable: isTransient && delegationId === undefined, retryAfterSeconds };
}

/** As long as the service says; else twice as long each time, and never quite as long as other callers. */
function waitBefore(attempt: number, toldSeconds: number | undefined): number {
  if (toldSeconds !== undefined) return toldSeconds * 1000;
  return Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
}

/** More than a caller can wait; a timer of Node's takes no more than 2,147,483 seconds. */
const MOST_SECONDS = 1_000_000;

/** Seconds, or a date to come. Any other value, a negative number too, says nothing: then the client chooses its waits. */
function secondsOf(header: string | null): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), MOST_SECONDS);
  // `Date.parse` takes `-5` for a year.
  const seconds = /^[a-z]{3}/i.test(text) ? Math.ceil((Date.parse(text) - Date.now()) / 1000) : Number.NaN;
  return seconds > 0 ? Math.min(seconds, MOST_SECONDS) : undefined;
}

function parse(text: string): Answer['body'] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer['body']) : undefined;
  } catch {
    return undefined;
  }
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
