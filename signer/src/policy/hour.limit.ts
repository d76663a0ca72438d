export const HOUR_MS = 60 * 60 * 1_000;

interface Counted {
  readonly amount: bigint;
  /** When the signature was logged; before that, when it was asked for. */
  atMs: number;
  /** Requests for the same bytes that are under way. */
  underway: number;
  isLogged: boolean;
}

/** One request's share of a limit, until it is known whether a signature was logged. */
export interface Reservation {
  readonly logged: (atMs: number) => void;
  readonly failed: () => void;
}

/**
 * How much of something a key signs in any hour. The amount is taken before the key is asked, so that requests of one moment cannot pass
 * together. The same bytes count once in an hour: signed again, they are the same transaction.
 */
export class HourLimit {
  private readonly counted = new Map<string, Counted>();
  private sum = 0n;

  constructor(private readonly most: bigint) {}

  /** A line of the log. */
  restore(txid: string, amount: bigint, atMs: number): void {
    this.take(txid, amount, atMs, Infinity)!.logged(atMs);
  }

  /** Null: the limit is reached. */
  reserve(txid: string, amount: bigint, nowMs: number): Reservation | null {
    this.forgetUntil(nowMs - HOUR_MS);
    return this.take(txid, amount, nowMs, this.most);
  }

  private take(txid: string, amount: bigint, nowMs: number, most: bigint | typeof Infinity): Reservation | null {
    let entry = this.counted.get(txid);
    if (!entry) {
      if (this.sum + amount > most) return null;
      entry = { amount, atMs: nowMs, underway: 0, isLogged: false };
      this.counted.set(txid, entry);
      this.sum += amount;
    }
    const mine = entry;
    mine.underway += 1;
    return {
      logged: (atMs) => {
        mine.underway -= 1;
        if (mine.isLogged) return;
        mine.isLogged = true;
        mine.atMs = atMs;
        // By the times of the log, in whose order they are forgotten.
        this.counted.delete(txid);
        this.counted.set(txid, mine);
      },
      failed: () => {
        mine.underway -= 1;
        if (mine.underway === 0 && !mine.isLogged) this.drop(txid, mine);
      },
    };
  }

  /** An entry that is under way counts however long that takes, and may stand before older ones. */
  private forgetUntil(pastMs: number): void {
    for (const [txid, entry] of this.counted) {
      if (entry.underway > 0) continue;
      if (entry.atMs > pastMs) return;
      this.drop(txid, entry);
    }
  }

  private drop(txid: string, { amount }: Counted): void {
    this.counted.delete(txid);
    this.sum -= amount;
  }
}
