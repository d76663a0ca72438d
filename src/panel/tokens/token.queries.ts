import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Permission } from '../../auth/api-token.entity';
import { Sql, type Statement } from '../../database/sql';
import { cutPage, PAGE_SIZE, type PageOf } from '../layout/pager';

export interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly permissions: readonly Permission[];
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly state: 'live' | 'expired' | 'revoked';
}

const COLUMNS = `id, name, prefix, permissions, created_at, expires_at, last_used_at,
  case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'live' end as state`;

const FIRST_PAGE: Statement = {
  name: 'panel-token-first-page',
  text: `select ${COLUMNS} from api_tokens where user_id = $1 order by created_at desc, id desc limit $2`,
};
const NEXT_PAGE: Statement = {
  name: 'panel-token-next-page',
  text: `select ${COLUMNS} from api_tokens
          where user_id = $1
            and (created_at, id) < (select created_at, id from api_tokens where id = $3 and user_id = $1)
          order by created_at desc, id desc limit $2`,
};
const FIND: Statement = {
  name: 'panel-token-find',
  text: `select ${COLUMNS} from api_tokens where id = $1 and user_id = $2`,
};

type Row = TokenRow & Record<string, unknown>;

/** Tokens as their user sees them. */
@Injectable()
export class TokenQueries {
  constructor(private readonly sql: Sql) {}

  /** Newest first. */
  async page(userId: string, after: string): Promise<PageOf<TokenRow>> {
    const found = isUuid(after)
      ? await this.sql.rows<Row>(NEXT_PAGE, [userId, PAGE_SIZE + 1, after])
      : await this.sql.rows<Row>(FIRST_PAGE, [userId, PAGE_SIZE + 1]);
    return cutPage(found, (row) => row.id);
  }

  /** Another user's reads as not there. */
  async find(id: string, userId: string): Promise<TokenRow | null> {
    return isUuid(id) ? this.sql.row<Row>(FIND, [id, userId]) : null;
  }
}
