import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { TOKEN_RECORD, type TokenRecord } from './api-token.repository';
import { UTC_TODAY } from '../auth.entities';

/** A token as it is listed, with what the database's clock says of it. */
export interface ListedToken extends TokenRecord {
  readonly state: 'live' | 'expired' | 'revoked';
  /** The list prices of its orders of this UTC day, held or charged. */
  readonly usedTodaySun: bigint;
}

export interface TokenPageQuery {
  /** The last token of the page before. */
  readonly after?: string | null;
  /** Null: all of them. */
  readonly limit?: number | null;
}

const SELECT = `
  select ${TOKEN_RECORD},
         coalesce((select used_sun from token_days d where d.token_id = api_tokens.id and d.day = ${UTC_TODAY}), 0) as "usedTodaySun",
         case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'live' end as state
    from api_tokens`;
const NEWEST_FIRST = 'order by created_at desc, id desc limit $2';

const LIST = statement<[userId: string, limit: number | null], ListedToken>(
  'panel_tokens_page',
  `${SELECT} where user_id = $1 ${NEWEST_FIRST}`,
);
/** A page cannot go on from another user's token: it reads like one that never was. */
const LIST_AFTER = statement<[userId: string, limit: number | null, after: string], ListedToken>(
  'panel_tokens_page_after',
  `${SELECT} where user_id = $1
      and (created_at, id) < (select created_at, id from api_tokens where id = $3 and user_id = $1) ${NEWEST_FIRST}`,
);
const FIND = statement<[id: string, userId: string], ListedToken>(
  'panel_token_find',
  `${SELECT} where id = $1 and user_id = $2`,
);
const ANY = statement<[], { id: string }>('panel_tokens_any', 'select id from api_tokens order by id limit 1');

/** Tokens as panel and command line show them. */
@Injectable()
export class TokenListRepository {
  constructor(private readonly sql: Sql) {}

  /** Newest first, revoked and expired ones included. */
  page(userId: string, { after = null, limit = null }: TokenPageQuery = {}): Promise<ListedToken[]> {
    return after === null ? this.sql.rows(LIST, [userId, limit]) : this.sql.rows(LIST_AFTER, [userId, limit, after]);
  }

  /** Whether anyone ever had one. */
  async hasAny(): Promise<boolean> {
    return (await this.sql.row(ANY)) !== null;
  }

  /** Another user's reads as not there. */
  async find(id: string, userId: string): Promise<ListedToken | null> {
    return isUuid(id) ? this.sql.row(FIND, [id, userId]) : null;
  }
}
