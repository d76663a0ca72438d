import { Injectable } from '@nestjs/common';
import { Sql, type Statement } from '../../database/sql';
import type { PanelUser } from './page-context';

const FIND: Statement = {
  name: 'panel-user-find',
  text: 'select id, email, name, operator from users where id = $1 and disabled_at is null',
};

@Injectable()
export class PanelUsers {
  constructor(private readonly sql: Sql) {}

  find(id: string): Promise<PanelUser | null> {
    return this.sql.row<PanelUser & Record<string, unknown>>(FIND, [id]);
  }
}
