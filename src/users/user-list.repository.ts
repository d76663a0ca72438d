import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';
import type { UserPreferences } from './user-preferences.repository';

export interface ListedUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly operator: boolean;
  readonly disabled: boolean;
  readonly balanceSun: bigint;
  readonly heldSun: bigint;
  readonly createdAt: Date;
}

/** Whose session it is. */
export type EnabledUser = Pick<ListedUser, 'id' | 'email' | 'name' | 'operator'> & UserPreferences;

export interface UserPageQuery {
  /** What the addresses begin with; empty: all users. */
  readonly prefix: string;
  /** The last address of the page before. */
  readonly after: string;
  readonly limit: number;
}

const COLUMNS = `u.id, u.email, u.name, u.operator, u.disabled_at is not null as disabled, a.balance_sun as "balanceSun",
  a.held_sun as "heldSun", u.created_at as "createdAt"`;

/** In the order of bytes, which is the order of the index that a prefix is found with. */
const list = (where: string) => `
  select ${COLUMNS}
    from users u join accounts a on a.user_id = u.id
   where u.email ~>~ $1 ${where}
   order by u.email using ~<~ limit $2`;

const LIST = statement<[after: string, limit: number], ListedUser>('panel_users', list(''));
const LIST_OF_PREFIX = statement<[after: string, limit: number, prefix: string, end: string], ListedUser>(
  'panel_users_of_prefix',
  list('and u.email ~>=~ $3 and u.email ~<~ $4'),
);
/** Anywhere in the address or the name, or the whole id: the whole table is read, which is the price of a part of a name. */
const SEARCH = statement<[part: string, limit: number], ListedUser>(
  'panel_users_search',
  `select ${COLUMNS} from users u join accounts a on a.user_id = u.id
    where position($1 in u.email) > 0 or position($1 in lower(u.name)) > 0 or u.id::text = $1
    order by u.email using ~<~ limit $2`,
);
const FIND_ENABLED = statement<[id: string], EnabledUser>(
  'panel_user_find',
  'select id, email, name, operator, time_zone as "timeZone", language from users where id = $1 and disabled_at is null',
);

/** Sorts behind everything that begins with what stands before it. */
const LAST = '\u{10FFFF}';

/** Users as the panel reads them. */
@Injectable()
export class UserListRepository {
  constructor(private readonly sql: Sql) {}

  /** By e-mail address. */
  page({ prefix, after, limit }: UserPageQuery): Promise<ListedUser[]> {
    return prefix === ''
      ? this.sql.rows(LIST, [after, limit])
      : this.sql.rows(LIST_OF_PREFIX, [after, limit, prefix, prefix + LAST]);
  }

  /** By address. */
  search(text: string, limit: number): Promise<ListedUser[]> {
    return this.sql.rows(SEARCH, [text.toLowerCase(), limit]);
  }

  findEnabled(id: string): Promise<EnabledUser | null> {
    return this.sql.row(FIND_ENABLED, [id]);
  }
}
