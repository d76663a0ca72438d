import { inTrx, nameInTrx } from '../common/money/in-trx';

/** Fields are values of JSON. Names that end in `_sun` hold whole sun: JSON shows sun, the table shows TRX. */
export type Document = Readonly<Record<string, unknown>>;

export interface OutputOptions {
  readonly json?: boolean;
}

/** To stdout, unless that has the command's file (standard-streams.ts); everything else a command has to say goes to stderr. */
export function printDocument(
  document: Document,
  { json }: OutputOptions,
  stream: NodeJS.WriteStream = process.stdout,
): void {
  write(
    json
      ? JSON.stringify(document)
      : alignColumns(Object.entries(inTrx(document)).map(([name, value]) => [name, show(value)])),
    stream,
  );
}

/** An array of all rows, or a table with a heading; `columns` stand there even when there are no rows. */
export function printList(columns: readonly string[], rows: readonly Document[], { json }: OutputOptions): void {
  if (json) return write(JSON.stringify(rows));
  const names = columns.map(nameInTrx);
  const shown = rows.map((row) => inTrx(Object.fromEntries(columns.map((column) => [column, row[column]]))));
  write(alignColumns([names, ...shown.map((row) => names.map((name) => show(row[name])))]));
}

/** A bare value, e.g. for `TOKEN=$(…)`. */
export function printLine(line: string): void {
  write(line);
}

/** Chunks that are made while they are written: the next chunk is asked for once the reader has taken enough of those before. */
export async function printChunks(chunks: AsyncIterable<string>): Promise<void> {
  const { stdout } = process;
  let isGone = false;
  // The process ends with what went wrong (process-output.ts); nothing more is read for a reader that is gone.
  const leave = () => (isGone = true);
  stdout.on('error', leave);
  try {
    for await (const chunk of chunks) {
      if (!stdout.write(chunk)) await roomIn(stdout);
      if (isGone) return;
    }
  } finally {
    stdout.off('error', leave);
  }
}

function roomIn(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const events = ['drain', 'error', 'close'] as const;
    const go = () => {
      for (const event of events) stream.off(event, go);
      resolve();
    };
    for (const event of events) stream.on(event, go);
  });
}

function write(text: string, stream: NodeJS.WriteStream = process.stdout): void {
  stream.write(`${text}\n`);
}

function show(value: unknown): string {
  if (value === null || value === undefined) return '-';
  // A note must neither break the table nor control the terminal.
  if (typeof value === 'string') return value.replace(/\p{Cc}/gu, ' ');
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',');
  return JSON.stringify(value);
}

function alignColumns(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]!.map(() => 0);
  // A call takes some hundred thousand arguments at most: fewer than there may be lines.
  for (const line of lines) line.forEach((cell, at) => (widths[at] = Math.max(widths[at]!, widthOf(cell))));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell + ' '.repeat(widths[column]! - widthOf(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function widthOf(cell: string): number {
  return [...cell].length;
}
