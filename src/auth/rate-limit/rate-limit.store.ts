export interface RateLimit {
  readonly name: string;
  readonly calls: number;
  readonly windowMs: number;
}

export interface Verdict {
  readonly allowed: boolean;
  /** Calls that the window still has, after this one. */
  readonly remaining: number;
  /** Until the window ends. */
  readonly resetMs: number;
}

/** Fixed windows that start at the first call in them. */
export abstract class RateLimitStore {
  /** Counts a call, unless the window is full: a refused call neither counts nor extends. */
  abstract take(limit: RateLimit, subject: string): Promise<Verdict>;

  /** The call was refused elsewhere, so it never happened. */
  abstract giveBack(limit: RateLimit, subject: string): Promise<void>;
}
