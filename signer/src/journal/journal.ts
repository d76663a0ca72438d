import { closeSync, constants, existsSync, fstatSync, fsyncSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkAccess } from '../configuration/private.file';
import { HOUR_MS } from '../policy/hour.limit';
import { reasonOf, RefusalError, StartError } from '../refusal';
import { endsWithin } from '../sources/ends.within';
import { type Entry, printEntry } from './entry';
import { type FileLock, lockFile } from './file.lock';
import { readRecent } from './recent.lines';

interface Waiting {
  readonly line: string;
  readonly settle: (error?: Error) => void;
}

/** A disk that hangs must not keep callers waiting. */
const DISK_MS = 5_000;
/** O_DSYNC: a write ends when its bytes are on disk. A call of its own for that would wait once more for a thread and for the disk. */
const OPEN =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  constants.O_DSYNC |
  constants.O_NOFOLLOW |
  constants.O_NONBLOCK;

/**
 * The log: one line for each signature, on disk before the signature is given out. Lines of one moment share a write.
 * One process has it at a time, because two would each count their own signatures for a limit.
 */
export class Journal {
  private waiting: Waiting[] = [];
  private writing: Promise<void> | null = null;
  private isDamaged = false;
  private failed = false;

  private constructor(
    private readonly file: FileHandle,
    private readonly lock: FileLock,
    private endsAt: number,
    private lastMs: number,
    readonly recent: readonly Entry[],
    readonly tornBytes: number,
    /** Limits count from nothing. */
    readonly isNew: boolean,
    private readonly mostMs: number,
  ) {}

  /** Cuts off a torn last line. @throws StartError */
  static async open(path: string, mostMs = DISK_MS): Promise<Journal> {
    const what = `state ${path}`;
    const lock = lockFile(path, what);
    try {
      const isNew = !existsSync(path);
      const file = await open(path, OPEN, 0o600);
      checkAccess(fstatSync(file.fd), what, false);
      if (isNew) syncDirectory(dirname(path));
      const { entries, end, tornBytes } = readRecent(
        file.fd,
        what,
        (newestMs) => Math.max(newestMs, Date.now()) - HOUR_MS,
      );
      const journal = new Journal(file, lock, end, entries.at(-1)?.atMs ?? 0, entries, tornBytes, isNew, mostMs);
      if (tornBytes > 0) await journal.repair();
      return journal;
    } catch (error) {
      lock.release();
      throw error instanceof StartError ? error : new StartError([`${what} cannot be opened: ${reasonOf(error)}`]);
    }
  }

  /** The time by which limits count. It never goes back, as the lines do not. */
  nowMs(): number {
    return (this.lastMs = Math.max(this.lastMs, Date.now()));
  }

  /** How far the newest line lies ahead of the clock. */
  get aheadMs(): number {
    return Math.max(0, this.lastMs - Date.now());
  }

  /** Ends when the line is on disk, with its time. @throws RefusalError, after which the line is not in the log, or counts for a later start alone */
  async append(entry: Omit<Entry, 'atMs'>): Promise<number> {
    const atMs = this.nowMs();
    const { promise: written, resolve, reject } = Promise.withResolvers<void>();
    const line = printEntry({ ...entry, atMs });
    const waiting: Waiting = { line, settle: (error) => (error ? reject(error) : resolve()) };
    this.waiting.push(waiting);
    this.writing ??= this.writeAll();
    try {
      await endsWithin(written, this.mostMs);
    } catch (error) {
      this.failed = true;
      // A line that is being written already may come into the log: its signature is given out to no caller.
      this.waiting = this.waiting.filter((one) => one !== waiting);
      throw error instanceof RefusalError ? error : cannotBeWritten(error);
    }
    return atMs;
  }

  /** False from a line that did not come into the log until one has. */
  get isWritable(): boolean {
    return !this.failed;
  }

  async close(): Promise<void> {
    await this.writing;
    await this.file.close();
    this.lock.release();
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const group = this.waiting;
      this.waiting = [];
      const failure = await this.writeGroup(Buffer.from(group.map(({ line }) => line).join(''))).then(
        () => undefined,
        cannotBeWritten,
      );
      for (const { settle } of group) settle(failure);
    }
    // In the same step that has found no line: one that comes later begins a group of its own.
    this.writing = null;
  }

  private async writeGroup(bytes: Buffer): Promise<void> {
    // A failed group may have left a part of itself there.
    if (this.isDamaged) await this.repair();
    this.isDamaged = true;
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.file.write(bytes, done, bytes.length - done, null);
      done += bytesWritten;
    }
    this.endsAt += bytes.length;
    this.isDamaged = false;
    this.failed = false;
  }

  private async repair(): Promise<void> {
    await this.file.truncate(this.endsAt);
    await this.file.datasync();
    this.isDamaged = false;
  }
}

function cannotBeWritten(error: unknown): RefusalError {
  return new RefusalError('backend', `the log cannot be written: ${reasonOf(error)}`);
}

/** Makes the new file's name last, too. */
function syncDirectory(path: string): void {
  const directory = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
