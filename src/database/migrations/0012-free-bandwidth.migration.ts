import { Migration } from '@mikro-orm/migrations';

/** Until the next reading all of it counts as staked. */
const CHANGE = `
  alter table pool_wallets add column free_bandwidth bigint not null default 0;
`;

export class FreeBandwidth extends Migration {
  override name = '0012-free-bandwidth';

  override up(): void {
    this.addSql(CHANGE);
  }
}
