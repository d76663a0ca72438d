import { Migration } from '@mikro-orm/migrations';

const TABLES = `
  alter table pool_wallets add reserved_sun bigint not null default 0;
  alter table pool_wallets add transactions_due bigint not null default 0;
  alter table pool_wallets add constraint pool_wallets_reservations_not_negative check (reserved_sun >= 0 and transactions_due >= 0);
  drop index delegations_wallet_block;
  create index delegations_wallet_block on delegations (wallet_id, delegation_block, stake_sun) where delegation_block is not null;
`;

/** What the orders of before have reserved. */
const COUNTED = `
  update pool_wallets w set
    reserved_sun = (
      select coalesce(sum(d.stake_sun), 0) from delegations d
      where d.wallet_id = w.id
        and (d.state in ('pending', 'activating', 'sent', 'included') or d.delegation_block > w.observed_block)),
    transactions_due = (
      select count(*) + count(*) filter (where d.state in ('pending', 'activating', 'sent', 'included')) from delegations d
      where d.wallet_id = w.id
        and d.state in ('pending', 'activating', 'sent', 'included', 'delegated', 'reclaiming', 'taking_back'));
`;

export class Reservations extends Migration {
  override name = '0005-reservations';

  override up(): void {
    this.addSql(TABLES);
    this.addSql(COUNTED);
  }
}
