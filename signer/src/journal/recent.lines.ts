import { fstatSync, readSync } from 'node:fs';
import { StartError } from '../refusal';
import { type Entry, parseEntry } from './entry';

const CHUNK_BYTES = 65_536;
const NEWLINE = 0x0a;
const FIRST_BYTES = '{"time":"';

export interface Recent {
  /** From the oldest to the newest. */
  readonly entries: readonly Entry[];
  /** Where the last whole line ends. */
  readonly end: number;
  /** Bytes after that: a line that a kill or a power cut has torn, whose signature was never given out. */
  readonly tornBytes: number;
}

/**
 * Reads a log from its end, back to the first line that is not younger than `sinceMs`, and always the newest: times never decrease in it.
 * @throws StartError for a whole line that cannot be read, because what it counted for is unknown, and for a file that is perhaps no log
 */
export function readRecent(file: number, what: string, sinceMs: (newestMs: number) => number): Recent {
  const { size } = fstatSync(file);
  const entries: Entry[] = [];
  let end = 0;
  for (const { line, endsAt, isWhole } of linesBackwards(file, size)) {
    const entry = isWhole ? parseEntry(line) : null;
    if (!entry) {
      if (entries.length > 0)
        throw new StartError([`${what} has a line before byte ${endsAt} that cannot be read, and lines after it`]);
      // Bytes that are not surely a piece of a line of ours may be a key, to which the configuration has led by mistake.
      if (isWhole || !canBeTorn(line))
        throw new StartError([`${what} is not a log of the signer: it ends with what the signer never writes`]);
      continue;
    }
    if (entries.length === 0) end = endsAt;
    else if (entry.atMs <= sinceMs(entries[0]!.atMs)) break;
    entries.push(entry);
  }
  return { entries: entries.toReversed(), end, tornBytes: size - end };
}

/** A power cut may leave a line's length with nothing in it. */
function canBeTorn(line: string): boolean {
  return line.startsWith(FIRST_BYTES) || FIRST_BYTES.startsWith(line) || /^\0+$/.test(line);
}

interface Line {
  readonly line: string;
  /** After its newline. */
  readonly endsAt: number;
  readonly isWhole: boolean;
}

function* linesBackwards(file: number, size: number): Generator<Line> {
  // Pieces of the line that is being read, the last one first.
  let pieces: Buffer[] = [];
  let endsAt = size;
  let isWhole = false;
  const take = (): Line => ({ line: Buffer.concat(pieces.toReversed()).toString('utf8'), endsAt, isWhole });
  for (let from = size; from > 0;) {
    const length = Math.min(CHUNK_BYTES, from);
    from -= length;
    const chunk = Buffer.alloc(length);
    readSync(file, chunk, 0, length, from);
    let to = length;
    for (let at = chunk.lastIndexOf(NEWLINE); at >= 0; at = at === 0 ? -1 : chunk.lastIndexOf(NEWLINE, at - 1)) {
      pieces.push(chunk.subarray(at + 1, to));
      if (isWhole || pieces.some((piece) => piece.length > 0)) yield take();
      pieces = [];
      endsAt = from + at + 1;
      isWhole = true;
      to = at;
    }
    pieces.push(chunk.subarray(0, to));
  }
  if (isWhole || pieces.some((piece) => piece.length > 0)) yield take();
}
