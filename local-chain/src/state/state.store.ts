import { deserialize, serialize } from 'node:v8';
import type { ChainDatabase } from './chain.database';
import type { StateReader } from './state.layer';
import { ValueCache } from './value.cache';

type Row = { key: string; height: number; value: Uint8Array | null };

const pack = (value: unknown): Uint8Array | null => (value === undefined ? null : serialize(value));
const unpack = (value: Uint8Array | null | undefined): unknown => (value ? deserialize(value) : undefined);

/** The first string after all that begin with a prefix. */
const after = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

/**
 * The state, by key and the height at which it became so. Reading as of a height is what makes the solid view, a view
 * further behind and a fork exact: each is the state as it was, not the newest one filtered.
 */
export class StateStore {
  private readonly cache = new ValueCache(50_000);
  private readonly newest;
  private readonly asOf;
  private readonly range;
  private readonly insert;

  constructor(private readonly database: ChainDatabase) {
    this.newest = database.prepare('SELECT value FROM state WHERE key = ? ORDER BY height DESC LIMIT 1');
    this.asOf = database.prepare('SELECT value FROM state WHERE key = ? AND height <= ? ORDER BY height DESC LIMIT 1');
    this.range = database.prepare(
      'SELECT key, height, value FROM state WHERE key >= ? AND key < ? AND height <= ? ORDER BY key, height',
    );
    this.insert = database.prepare('INSERT OR REPLACE INTO state (key, height, value) VALUES (?, ?, ?)');
  }

  head(): StateReader {
    return {
      get: (key) => this.newestOf(key),
      entries: (prefix) => this.entries(prefix, Number.MAX_SAFE_INTEGER),
    };
  }

  at(height: number): StateReader {
    return {
      get: (key) => unpack((this.asOf.get(key, height) as Row | undefined)?.value),
      entries: (prefix) => this.entries(prefix, height),
    };
  }

  private newestOf(key: string): unknown {
    if (this.cache.has(key)) return this.cache.get(key);
    const value = unpack((this.newest.get(key) as Row | undefined)?.value);
    this.cache.set(key, value);
    return value;
  }

  private entries(prefix: string, height: number): Map<string, unknown> {
    const found = new Map<string, unknown>();
    for (const row of this.range.iterate(prefix, after(prefix), height)) {
      const { key, value } = row as unknown as Row;
      if (value) found.set(key, unpack(value));
      else found.delete(key);
    }
    return found;
  }

  write(height: number, changes: ReadonlyMap<string, unknown>): void {
    for (const [key, value] of changes) {
      this.insert.run(key, height, pack(value));
      this.cache.set(key, value);
    }
  }

  /** Changes what a key says from a height on, as though it had always been so: for what is put there by hand. */
  amend(key: string, from: number, change: (value: never) => unknown): void {
    const then = this.at(from).get(key);
    const later = this.database
      .prepare('SELECT height, value FROM state WHERE key = ? AND height > ?')
      .all(key, from) as unknown as Row[];
    this.insert.run(key, from, pack(change(then as never)));
    for (const row of later) this.insert.run(key, row.height, pack(change(unpack(row.value) as never)));
    this.cache.clear();
  }

  /** Forgets all that became so at a height or later. */
  revert(from: number): void {
    this.database.prepare('DELETE FROM state WHERE height >= ?').run(from);
    this.cache.clear();
  }

  /** Drops what was superseded at or before a height: no reader looks further back. */
  prune(height: number): void {
    this.database
      .prepare('DELETE FROM state WHERE height < ?1 AND key IN (SELECT key FROM state WHERE height = ?1)')
      .run(height);
    this.database.prepare('DELETE FROM state WHERE height = ? AND value IS NULL').run(height);
  }
}
