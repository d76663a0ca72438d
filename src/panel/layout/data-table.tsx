import type { ComponentChildren } from 'preact';
import type { PageContext } from '../http/page-context';
import { LAYOUT_MESSAGES } from '../messages/layout.messages';
import { isLaterPage } from './pager';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Right-aligned, digits under digits. */
  readonly numeric?: boolean;
  /** Names the row for screen readers. */
  readonly heading?: boolean;
}

interface Props<Row> {
  readonly pageContext: PageContext;
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Instead of a table without rows: what to do next. */
  readonly empty: ComponentChildren;
  /** Its place in the query, as the pager has it. */
  readonly list?: string;
}

export function DataTable<Row>({ pageContext, name, columns, rows, empty, list }: Props<Row>) {
  if (rows.length === 0) {
    return (
      <div class="empty">
        {isLaterPage(pageContext, list) ? <p>{LAYOUT_MESSAGES[pageContext.locale].noMore}</p> : empty}
      </div>
    );
  }
  return (
    <div class="scroll" role="region" tabindex={0} aria-label={LAYOUT_MESSAGES[pageContext.locale].table(name)}>
      <table>
        <caption class="heard">{name}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={column.numeric ? 'number' : undefined}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <Cell key={column.name} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const className = column.numeric ? 'number' : undefined;
  if (!column.heading) return <td class={className}>{column.cell(row)}</td>;
  return (
    <th scope="row" class={className}>
      {column.cell(row)}
    </th>
  );
}
