/** Lines written in a minute: for one caller and status, and in all. The others are counted. */
const OF_ONE = 20;
const OF_ALL = 600;
const MINUTE_MS = 60_000;
/** How many pairs of caller and status are counted apart, and how many of those are named. */
const MOST_KINDS = 1_000;
const NAMED = 10;

/** The status of an answer, or in words how a connection ended without one. */
type Status = number | string;

interface Kind {
  readonly from: string;
  readonly status: Status;
  lines: number;
}

export interface LeftOut {
  readonly count: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** The most frequent, with all their calls of that minute. */
  readonly callers: readonly { readonly from: string; readonly status: Status; readonly calls: number }[];
}

/** Decides which lines of a flood reach the log: the first of each kind, and once a minute the number of the others. */
export class LogSampler {
  private kinds = new Map<string, Kind>();
  private statuses: Record<string, number> = {};
  private written = 0;
  private leftOut = 0;
  private endsAtMs = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly report: (leftOut: LeftOut) => void) {}

  /** Whether a line of this caller is written. */
  admits(from: string, status: Status): boolean {
    const now = performance.now();
    if (now >= this.endsAtMs) {
      this.close();
      this.endsAtMs = now + MINUTE_MS;
    }
    const kind = this.kindOf(from, status);
    if (kind) kind.lines += 1;
    if (kind && kind.lines <= OF_ONE && this.written < OF_ALL) {
      this.written += 1;
      return true;
    }
    this.leftOut += 1;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    // The flood may end before the minute does.
    this.timer ??= setTimeout(() => this.close(), this.endsAtMs - now).unref();
    return false;
  }

  /** Reports what was left out until now; the next call begins a new minute. */
  close(): void {
    clearTimeout(this.timer);
    const { leftOut: count, statuses } = this;
    const most = [...this.kinds.values()].toSorted((a, b) => b.lines - a.lines).slice(0, NAMED);
    this.timer = undefined;
    this.kinds = new Map();
    this.statuses = {};
    [this.written, this.leftOut, this.endsAtMs] = [0, 0, 0];
    if (count === 0) return;
    this.report({ count, statuses, callers: most.map(({ from, status, lines: calls }) => ({ from, status, calls })) });
  }

  /** None when there are too many to count each. */
  private kindOf(from: string, status: Status): Kind | undefined {
    const key = `${status} ${from}`;
    const known = this.kinds.get(key);
    if (known || this.kinds.size >= MOST_KINDS) return known;
    const kind = { from, status, lines: 0 };
    this.kinds.set(key, kind);
    return kind;
  }
}
