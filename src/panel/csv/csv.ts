export const CSV_TYPE = 'text/csv; charset=utf-8';

/** Excel takes a file without this mark for one in its own code page. */
const BYTE_ORDER_MARK = '\uFEFF';

export function csvHeading(names: readonly string[]): string {
  return `${BYTE_ORDER_MARK}${names.join(',')}\r\n`;
}

/** Cells as they are: numbers, times, ids and codes; what people typed goes through `csvText` first. */
export function csvLine(cells: readonly (string | number | bigint | null)[]): string {
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
