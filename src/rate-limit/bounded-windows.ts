import { hash, randomUUID } from 'node:crypto';
import { type Entry, ExpiringTable } from './expiring-table';
import type { OpenWindow, WindowCounter } from './window-counter';

/** More callers than one process can answer in two minutes, after which ended windows are dropped; about 30 MB. */
export const MOST_WINDOWS = 200_000;
/** Windows that callers beyond those share. */
export const SHARED_WINDOWS = 4_096;

interface Found {
  readonly table: ExpiringTable<number>;
  readonly window: Entry<number>;
}

/**
 * Windows of one limit in this process, at most MOST_WINDOWS. No window is dropped for another one, or a flood from many addresses
 * would reset the count of each: a caller who comes when all are taken shares a window with some others.
 */
export class BoundedWindows implements WindowCounter {
  private readonly own: ExpiringTable<number>;
  private readonly shared: ExpiringTable<number>;
  /** Secret, so that no caller can choose with whom to share. */
  private readonly salt = randomUUID();

  constructor(most = MOST_WINDOWS) {
    this.own = new ExpiringTable(most);
    this.shared = new ExpiringTable(SHARED_WINDOWS);
  }

  get size(): number {
    return this.own.size + this.shared.size;
  }

  async add(key: string, windowMs: number): Promise<OpenWindow> {
    const { table, window } = this.find(key) ?? this.open(key, windowMs);
    window.value += 1;
    return { calls: window.value, msLeft: table.msLeft(window) };
  }

  /** An empty window has not begun. */
  async takeBack(key: string, msLeft: number): Promise<void> {
    const found = this.find(key);
    if (!found || found.table.msLeft(found.window) > msLeft) return;
    found.window.value -= 1;
    if (found.window.value <= 0 && !this.own.delete(key)) this.shared.delete(this.sharedKeyOf(key));
  }

  /** A shared window is kept until it ends, even if there is room again: it counted the earlier calls. */
  private find(key: string): Found | null {
    return findIn(this.own, key) ?? (this.shared.size > 0 ? findIn(this.shared, this.sharedKeyOf(key)) : null);
  }

  private open(key: string, ms: number): Found {
    if (this.own.put(key, 0, ms)) return findIn(this.own, key)!;
    const shared = this.sharedKeyOf(key);
    this.shared.put(shared, 0, ms);
    return findIn(this.shared, shared)!;
  }

  private sharedKeyOf(key: string): string {
    return String(hash('sha256', this.salt + key, 'buffer').readUInt32BE() % SHARED_WINDOWS);
  }
}

function findIn(table: ExpiringTable<number>, key: string): Found | null {
  const window = table.find(key);
  return window && { table, window };
}
