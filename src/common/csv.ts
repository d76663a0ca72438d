/** Excel takes a file without this mark for one in its own code page. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Programs read a file without the mark. */
export function csvHeading(names: readonly string[], mark = BYTE_ORDER_MARK): string {
  return `${mark}${names.join(',')}\r\n`;
}

type Cell = string | number | bigint | null | undefined;

/** The names of the columns, each with its cell of a row. */
export type CsvColumns<Row> = readonly (readonly [name: string, cell: (row: Row) => Cell])[];

/** Rows that are read a batch at a time, each behind the last one of the batch before: a long list costs no memory. */
export async function* csvFile<Row>(
  columns: CsvColumns<Row>,
  readBehind: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<string> {
  yield csvHeading(columns.map(([name]) => name));
  for (let rows = await readBehind(undefined); rows.length > 0; rows = await readBehind(rows.at(-1))) {
    yield csvLines(columns, rows);
  }
}

export function csvLines<Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string {
  return rows.map((row) => csvLine(columns.map(([, cell]) => cell(row)))).join('');
}

/** Cells as they are: numbers, times, ids and codes; what people typed goes through `csvText` first. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map((cell) => cell ?? '').join(',')}\r\n`;
}

/** Full-width ones too: a spreadsheet in an East Asian language takes them for the others. Blanks before them are dropped by some. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** Free text: quoted, and never a formula in the spreadsheet that opens it. */
export function csvText(value: string | null): string {
  if (value === null) return '';
  const inert = FORMULA.test(value) ? `'${value}` : value;
  return `"${inert.replaceAll('"', '""')}"`;
}
