import { Migration } from '@mikro-orm/migrations';

/** Whoever paused a wallet before this is not known: nobody but people resumes it. */
const CHANGE = `
  alter table pool_wallets add column resumes_itself boolean not null default false;
`;

export class WalletsResume extends Migration {
  override name = '0010-wallets-resume';

  override up(): void {
    this.addSql(CHANGE);
  }
}
