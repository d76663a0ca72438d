import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Sql, type Statement } from '../../database/sql';
import type { Permission } from '../../users/permissions';
import { PagesOfUser } from '../http/pages-of-user';
import type { PageOf } from '../layout/pager';

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

const PAGES = new PagesOfUser<TokenRow>('panel-tokens', COLUMNS, 'api_tokens', 'created_at');
const FIND: Statement = {
  name: 'panel-token-find',
  text: `select ${COLUMNS} from api_tokens where id = $1 and user_id = $2`,
};

/** Tokens as their user sees them. */
@Injectable()
export class TokenQueries {
  constructor(private readonly sql: Sql) {}

  /** Newest first. */
  page(userId: string, after: string): Promise<PageOf<TokenRow>> {
    return PAGES.read(this.sql, userId, after);
  }

  /** Another user's reads as not there. */
  async find(id: string, userId: string): Promise<TokenRow | null> {
    return isUuid(id) ? this.sql.row<TokenRow & Record<string, unknown>>(FIND, [id, userId]) : null;
  }
}
