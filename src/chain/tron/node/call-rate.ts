const SECOND_MS = 1_000;
/** So many calls of each second are kept for blocks: without them nothing settles. */
const FOR_BLOCKS = 2;
/** Less lets no order through; a node that bears less goes on refusing, and is asked again after each pause. */
const LEAST = 5;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/**
 * More is tried two pauses after a refusal, and after twice as long each time that this is refused again; at a hundred pauses trying
 * costs a hundredth of the time. What is borne is followed by twice as much more.
 */
const LONGEST_TRY_PAUSES = 100;
const NEXT_STEP_MS = 2_000;
/** So long after a refusal a node gets no call that can be done without. */
const SPARED_MS = 300_000;

/**
 * Calls that may have reached the node within the last second. A call counts from its beginning until a second after its end: it
 * arrived somewhere in between, so the number holds at the node, however long the way there takes.
 */
class RecentCalls {
  private underWay = 0;
  /** Grows in time. */
  private readonly endsMs: number[] = [];

  count(nowMs: number): number {
    this.forget(nowMs);
    return this.underWay + this.endsMs.length;
  }

  begin(): void {
    this.underWay++;
  }

  end(nowMs: number): void {
    this.underWay--;
    this.forget(nowMs);
    this.endsMs.push(nowMs);
  }

  /** Until one fewer counts; Infinity while that takes an answer. */
  untilFewerMs(nowMs: number): number {
    return this.endsMs.length === 0 ? Infinity : Math.max(1, this.endsMs[0]! + SECOND_MS - nowMs + 1);
  }

  private forget(nowMs: number): void {
    while (this.endsMs.length > 0 && this.endsMs[0]! + SECOND_MS < nowMs) this.endsMs.shift();
  }
}

/** How many calls a second one node bears, and when the next one may begin. Times are of a monotonic clock. */
export class CallRate {
  private limit: number | null;
  private readonly blocks = new RecentCalls();
  private readonly others = new RecentCalls();
  /** Those calls of both kinds that the node refused. */
  private readonly refusals = new RecentCalls();
  private pausedUntilMs = 0;
  private refusedAtMs = Number.NEGATIVE_INFINITY;
  private pauseMs = FIRST_PAUSE_MS;
  private works = true;
  private tryMoreAtMs = 0;
  /** Refusals since more was borne than before. */
  private failedTries = 0;
  /** So many more a second are tried next. */
  private step = 1;
  /** Calls have waited since the limit was changed: more would be used. */
  private isBound = false;

  /** `fixed`: so many in any second; null: as many as the node bears. */
  constructor(private readonly fixed: number | null) {
    this.limit = fixed;
  }

  /** Calls a second; null while the node has refused none. */
  get perSecond(): number | null {
    return this.limit;
  }

  pausedMs(nowMs: number): number {
    return Math.max(0, this.pausedUntilMs - nowMs);
  }

  hasRefusedLately(nowMs: number): boolean {
    return nowMs - this.refusedAtMs < SPARED_MS;
  }

  /** 0: now; Infinity: once another call has ended. */
  waitMs(isBlock: boolean, nowMs: number): number {
    const pausedMs = this.pausedMs(nowMs);
    if (pausedMs > 0 || this.limit === null) return pausedMs;
    const [others, all] = [this.others.count(nowMs), this.others.count(nowMs) + this.blocks.count(nowMs)];
    const forBlocks = Math.min(FOR_BLOCKS, this.limit >> 1);
    if (all >= this.limit)
      return this.bound(Math.min(this.others.untilFewerMs(nowMs), this.blocks.untilFewerMs(nowMs)));
    return !isBlock && others >= this.limit - forBlocks ? this.bound(this.others.untilFewerMs(nowMs)) : 0;
  }

  begin(isBlock: boolean): void {
    (isBlock ? this.blocks : this.others).begin();
  }

  end(isBlock: boolean, nowMs: number): void {
    (isBlock ? this.blocks : this.others).end(nowMs);
  }

  /** The node carried a call out. */
  accepted(nowMs: number): void {
    this.works = true;
    if (this.fixed !== null || this.limit === null || !this.isBound || nowMs < this.tryMoreAtMs) return;
    // The step before this one was borne.
    if (this.step > 1) this.failedTries = 0;
    this.limit += this.step;
    this.step *= 2;
    this.tryMoreAtMs = nowMs + NEXT_STEP_MS;
    this.isBound = false;
  }

  /** The node refused a call, which has not ended yet, for the number of calls; it wants none for so long, if it says so. */
  refused(saidMs: number | null, nowMs: number): void {
    this.refusedAtMs = nowMs;
    this.refusals.begin();
    this.refusals.end(nowMs);
    if (nowMs >= this.pausedUntilMs) {
      // Refused again with nothing carried out since the last pause: that was too short.
      this.pauseMs = this.works ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, this.pauseMs * 2);
      this.works = false;
      this.failedTries++;
      this.step = 1;
    }
    const pauseMs = saidMs ?? this.pauseMs;
    this.pausedUntilMs = Math.max(this.pausedUntilMs, nowMs + pauseMs);
    if (this.fixed !== null) return;
    const borne = this.others.count(nowMs) + this.blocks.count(nowMs) - this.refusals.count(nowMs);
    this.limit = Math.max(LEAST, Math.min(this.limit ?? Infinity, borne));
    this.tryMoreAtMs = this.pausedUntilMs + pauseMs * Math.min(LONGEST_TRY_PAUSES, 2 ** this.failedTries);
    this.isBound = false;
  }

  private bound(waitMs: number): number {
    this.isBound = true;
    return waitMs;
  }
}
