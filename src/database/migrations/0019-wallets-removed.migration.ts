import { Migration } from '@mikro-orm/migrations';

/** A removed wallet keeps its row, for its past orders; its name and its address may be used again. */
const CHANGE = `
  alter table pool_wallets add column removed_at timestamptz(6) null;
  alter table pool_wallets drop constraint pool_wallets_name_unique;
  alter table pool_wallets drop constraint pool_wallets_address_role;
  alter table pool_wallets add constraint pool_wallets_removed_takes_none check (removed_at is null or state = 'draining');
  create unique index pool_wallets_name_unique on pool_wallets (name) where removed_at is null;
  create unique index pool_wallets_address_role on pool_wallets (address, role) where removed_at is null;
`;

export class WalletsRemoved extends Migration {
  override name = '0019-wallets-removed';

  override up(): void {
    this.addSql(CHANGE);
  }
}
