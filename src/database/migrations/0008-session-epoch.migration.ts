import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  alter table users add column session_epoch int not null default 0;
  alter table sessions add column epoch int not null default 0;
`;

export class SessionEpoch extends Migration {
  override name = '0008-session-epoch';

  override up(): void {
    this.addSql(CHANGE);
  }
}
