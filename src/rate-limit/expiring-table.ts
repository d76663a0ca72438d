export interface Entry<Value> {
  value: Value;
  readonly endsAtMs: number;
}

/**
 * Entries that expire, at most `most` of them: when it is full it takes no new one, and drops none for it. Two maps take turns, each
 * for as long as the longest entry lasts, so that ended entries go all together, without timers.
 */
export class ExpiringTable<Value> {
  private current = new Map<string, Entry<Value>>();
  private earlier = new Map<string, Entry<Value>>();
  private longestMs = 0;
  private turnsAtMs = 0;
  private clockMs = 0;
  private setBackMs = 0;

  constructor(private readonly most: number) {}

  get size(): number {
    return this.current.size + this.earlier.size;
  }

  /** The entry itself: its value may be changed in place. */
  find(key: string): Entry<Value> | null {
    this.turn();
    const entry = this.current.get(key) ?? this.earlier.get(key);
    return entry !== undefined && this.msLeft(entry) > 0 ? entry : null;
  }

  msLeft({ endsAtMs }: Entry<Value>): number {
    return endsAtMs - this.nowMs();
  }

  /** False, and nothing done, when the table is full. */
  put(key: string, value: Value, ms: number): boolean {
    this.turn();
    this.delete(key);
    if (this.size >= this.most) return false;
    this.longestMs = Math.max(this.longestMs, ms);
    this.current.set(key, { value, endsAtMs: this.nowMs() + ms });
    return true;
  }

  delete(key: string): boolean {
    const wasCurrent = this.current.delete(key);
    return this.earlier.delete(key) || wasCurrent;
  }

  private turn(): void {
    const now = this.nowMs();
    if (now < this.turnsAtMs) return;
    // After so long without a call, the entries of the newer map have ended as well.
    this.earlier = now < this.turnsAtMs + this.longestMs ? this.current : new Map();
    this.current = new Map();
    this.turnsAtMs = now + this.longestMs;
  }

  /** Never goes back: if the clock is set back, entries still end on time. */
  private nowMs(): number {
    const clockMs = Date.now();
    this.setBackMs += Math.max(0, this.clockMs - clockMs);
    this.clockMs = clockMs;
    return clockMs + this.setBackMs;
  }
}
