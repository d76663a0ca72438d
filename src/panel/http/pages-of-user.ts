import { validate as isUuid } from 'uuid';
import type { Queryable, Statement } from '../../database/sql';
import { cutPage, PAGE_SIZE, type PageOf } from '../layout/pager';

/** A user's rows of one table, the latest first, a page at a time. */
export class PagesOfUser<Row extends { readonly id: string }> {
  private readonly first: Statement;
  private readonly later: Statement;
  private readonly one: Statement;

  /** `latest`: the column that the rows are in order of; with `id` behind it where times are the same. */
  constructor(name: string, columns: string, table: string, latest: string) {
    const select = `select ${columns} from ${table} where user_id = $1`;
    const order = `order by ${latest} desc, id desc limit $2`;
    // Another user's row is no place to go on from: it reads like one that never was.
    const from = `(select ${latest}, id from ${table} where id = $3 and user_id = $1)`;
    this.first = { name: `${name}-page`, text: `${select} ${order}` };
    this.later = { name: `${name}-page-after`, text: `${select} and (${latest}, id) < ${from} ${order}` };
    this.one = { name: `${name}-one`, text: `${select} and id = $2` };
  }

  async read(sql: Queryable, userId: string, after: string): Promise<PageOf<Row>> {
    const values = [userId, PAGE_SIZE + 1];
    const found = isUuid(after)
      ? await sql.rows<Row & Record<string, unknown>>(this.later, [...values, after])
      : await sql.rows<Row & Record<string, unknown>>(this.first, values);
    return cutPage<Row>(found, ({ id }) => id);
  }

  /** Null when there is none, or when it is another user's. */
  async find(sql: Queryable, userId: string, id: string): Promise<Row | null> {
    return isUuid(id) ? sql.row<Row & Record<string, unknown>>(this.one, [userId, id]) : null;
  }
}
