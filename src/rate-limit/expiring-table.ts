export interface Entry<Value> {
  value: Value;
  readonly endsAtMs: number;
}

/**
 * What is true of a key for a while, for so many keys and no more: a new one finds it full, and pushes no other
 * out. Two maps take turns, for as long as the longest entry lasts, so that what has ended goes all together and needs no timers.
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

  /** False, and nothing done, when there is no room. */
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
    // Nobody asked for so long that what is in the newer map has ended as well.
    this.earlier = now < this.turnsAtMs + this.longestMs ? this.current : new Map();
    this.current = new Map();
    this.turnsAtMs = now + this.longestMs;
  }

  /** A clock that is set back keeps nobody waiting for that long. */
  private nowMs(): number {
    const clockMs = Date.now();
    this.setBackMs += Math.max(0, this.clockMs - clockMs);
    this.clockMs = clockMs;
    return clockMs + this.setBackMs;
  }
}
