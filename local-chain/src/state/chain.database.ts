import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

export class DataDirectoryInUseError extends Error {
  constructor(directory: string) {
    super(`the data directory ${directory} is in use by another local chain`);
  }
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS state (key TEXT NOT NULL, height INTEGER NOT NULL, value BLOB, PRIMARY KEY (key, height)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS state_height ON state (height);
  CREATE TABLE IF NOT EXISTS block (height INTEGER PRIMARY KEY, id BLOB NOT NULL, timestamp INTEGER NOT NULL, header BLOB NOT NULL, signature BLOB NOT NULL);
  CREATE INDEX IF NOT EXISTS block_id ON block (id);
  CREATE TABLE IF NOT EXISTS tx (id BLOB PRIMARY KEY, height INTEGER NOT NULL, position INTEGER NOT NULL, bytes BLOB NOT NULL, info BLOB NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS tx_height ON tx (height, position);
`;

/**
 * One SQLite file. Its exclusive lock is the operating system's, so it goes with the process that held it, however that ended.
 * Without a directory SQLite keeps a nameless file of its own, which bounds memory and vanishes with the process.
 */
export class ChainDatabase {
  private readonly database: DatabaseSync;
  private readonly meta: Map<string, string>;
  private depth = 0;

  constructor(directory?: string) {
    this.database = new DatabaseSync(directory ? privateFile(directory) : '', { timeout: 0 });
    try {
      this.database.exec(
        `PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = ${directory ? 'WAL' : 'MEMORY'}; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768;`,
      );
      this.database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
    } catch (error) {
      this.database.close();
      throw directory && /locked|busy/i.test(String(error)) ? new DataDirectoryInUseError(directory) : error;
    }
    const rows = this.prepare('SELECT name, value FROM meta').all() as { name: string; value: string }[];
    this.meta = new Map(rows.map(({ name, value }) => [name, value]));
  }

  prepare(sql: string): StatementSync {
    return this.database.prepare(sql);
  }

  /** All of it or nothing, also over a kill; calls inside one another are one transaction. */
  transaction<T>(work: () => T): T {
    if (this.depth > 0) return work();
    this.database.exec('BEGIN IMMEDIATE');
    this.depth++;
    try {
      const result = work();
      this.database.exec('COMMIT');
      return result;
    } catch (error) {
      this.database.exec('ROLLBACK');
      throw error;
    } finally {
      this.depth--;
    }
  }

  /** Small facts beside the state; the names are this file's readers' own. */
  numberOf(name: string): number {
    return Number(this.meta.get(name) ?? 0);
  }
  putNumber(name: string, value: number): void {
    if (this.meta.get(name) === String(value)) return;
    this.meta.set(name, String(value));
    this.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, String(value));
  }

  close(): void {
    this.database.close();
  }
}

/** For no other user to read: SQLite gives the files next to it its mode, and those that an older chain has left get it here. */
function privateFile(directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = path.join(directory, 'chain.sqlite');
  closeSync(openSync(file, 'a', 0o600));
  for (const name of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(name)) chmodSync(name, 0o600);
  return file;
}
