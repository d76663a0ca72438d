import { Injectable } from '@nestjs/common';
import { Sql, type Statement } from '../../database/sql';
import { cutPage, PAGE_SIZE, type PageOf } from '../layout/pager';

export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly operator: boolean;
  readonly disabled: boolean;
  readonly balance_sun: bigint;
  readonly held_sun: bigint;
  readonly created_at: Date;
}

/** In the order of bytes, which is the order of the index that a prefix is found with. */
const select = (where: string) => `
  select u.id, u.email, u.name, u.operator, u.disabled_at is not null as disabled, a.balance_sun, a.held_sun, u.created_at
    from users u join accounts a on a.user_id = u.id
   where u.email ~>~ $1 ${where}
   order by u.email using ~<~ limit $2`;

const PAGE: Statement = { name: 'panel-users', text: select('') };
const PAGE_OF_PREFIX: Statement = {
  name: 'panel-users-of-prefix',
  text: select('and u.email ~>=~ $3 and u.email ~<~ $4'),
};
/** Sorts behind everything that begins with what stands before it. */
const LAST = '\u{10FFFF}';

@Injectable()
export class UserQueries {
  constructor(private readonly sql: Sql) {}

  /** By e-mail address; the next page begins after the last address of this one. */
  async page(prefix: string, after: string): Promise<PageOf<UserRow>> {
    const values = [after, PAGE_SIZE + 1];
    const found = await (prefix === ''
      ? this.sql.rows<UserRow & Record<string, unknown>>(PAGE, values)
      : this.sql.rows<UserRow & Record<string, unknown>>(PAGE_OF_PREFIX, [...values, prefix, prefix + LAST]));
    return cutPage(found, ({ email }) => email);
  }
}
