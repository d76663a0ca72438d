import type { ComponentChildren } from 'preact';
import { useVisit, useMessages } from './current-visit';
import { isLaterPage, type PageOf, Pager, type PagerProps } from './pager';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Right-aligned, digits under digits. */
  readonly numeric?: boolean;
  /** Names the row for screen readers. */
  readonly heading?: boolean;
  /** A column of menus: its name is heard, and takes no room. */
  readonly menu?: boolean;
  /** Below all rows. */
  readonly sum?: ComponentChildren;
  /** A link in its head puts the rows in this order. */
  readonly sort?: Sort;
  /** Takes the room that the others leave, and its text is cut to that. */
  readonly wide?: boolean;
  /** Left out where the window is narrow but no phone's: it stands on the row's own page too, or matters least. */
  readonly minor?: boolean;
}

export interface Sort {
  readonly href: string;
  /** As the rows are now; null: in another order. */
  readonly now: 'ascending' | 'descending' | null;
}

interface TableProps<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Instead of a table without rows: what to do next. */
  readonly empty: string | null;
  /** Its place in the query, as the pager has it. */
  readonly list?: string;
  /** Keeps a row the same element while the list around it changes. */
  readonly rowId?: (row: Row) => string;
  /** Rows in red. */
  readonly isAlarm?: (row: Row) => boolean;
}

export function DataTable<Row>({ name, columns, rows, empty, list, rowId, isAlarm }: TableProps<Row>) {
  const { url } = useVisit();
  const messages = useMessages('layout');
  if (rows.length === 0) {
    return (
      <div class="empty">
        <p>{isLaterPage(url, list) ? messages.noMore : empty}</p>
      </div>
    );
  }
  return (
    <div class="scroll" role="region" tabindex={0} aria-label={messages.table(name)}>
      {/* The roles are a table's own: as cards on a phone its rows lose them in some browsers. */}
      <table role="table">
        <caption class="heard">{name}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <Head key={column.name} column={column} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, index) => (
            <tr key={index} role="row" id={rowId?.(row)} class={isAlarm?.(row) ? 'alarm' : undefined}>
              {columns.map((column) => (
                <Cell key={column.name} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
        {columns.some(({ sum }) => sum !== undefined) && <Sums columns={columns} />}
      </table>
    </div>
  );
}

function Sums<Row>({ columns }: Pick<TableProps<Row>, 'columns'>) {
  return (
    <tfoot role="rowgroup">
      <tr role="row">
        {columns.map((column) => {
          const attributes = { class: classOf(column), 'data-label': column.name };
          return column.heading ? (
            <th key={column.name} scope="row" role="rowheader" {...attributes}>
              {column.sum}
            </th>
          ) : (
            <td key={column.name} role="cell" {...attributes}>
              {column.sum}
            </td>
          );
        })}
      </tr>
    </tfoot>
  );
}

interface ListProps<Row> extends Omit<TableProps<Row>, 'rows'>, Pick<PagerProps, 'newestFirst' | 'csv'> {
  readonly page: PageOf<Row>;
}

/** A page of a list, and the way to the others. */
export function ListTable<Row>({ page, newestFirst, csv, ...table }: ListProps<Row>) {
  return (
    <>
      <DataTable {...table} rows={page.rows} />
      <Pager page={page} list={table.list} newestFirst={newestFirst} csv={csv} />
    </>
  );
}

function Head<Row>({ column }: { column: Column<Row> }) {
  const { name, menu, sort } = column;
  const text = menu ? <span class="heard">{name}</span> : name;
  return (
    <th scope="col" role="columnheader" class={classOf(column)} aria-sort={sort?.now ?? undefined}>
      {sort === undefined ? (
        text
      ) : (
        <a href={sort.href} class={sort.now ?? undefined}>
          {text}
        </a>
      )}
    </th>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const content = column.cell(row);
  // A card shows no empty line.
  const nothing = content === null || content === false || content === undefined || content === '';
  const attributes = { class: `${classOf(column) ?? ''}${nothing ? ' nothing' : ''}`.trim() || undefined };
  const value = <div class="cell">{content}</div>;
  return column.heading ? (
    <th scope="row" role="rowheader" data-label={column.name} {...attributes}>
      {value}
    </th>
  ) : (
    <td role="cell" data-label={column.name} {...attributes}>
      {value}
    </td>
  );
}

function classOf<Row>({ numeric, minor, wide }: Column<Row>): string | undefined {
  return [numeric && 'number', minor && 'minor', wide && 'wide'].filter(Boolean).join(' ') || undefined;
}
