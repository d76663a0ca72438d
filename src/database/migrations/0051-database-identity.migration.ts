import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  create table database_identity (
    id int not null,
    system_identifier bigint not null,
    database_oid bigint not null,
    data_directory text null,
    table_oid bigint null,
    timeline text null,
    compared_block bigint null,
    compared_from timestamptz(6) null,
    primary key (id)
  );
  alter table database_identity add constraint database_identity_single_row check (id = 1);
  create table compared_pairs (
    wallet_id uuid not null,
    receiver text not null,
    compared_block bigint not null,
    primary key (wallet_id, receiver)
  );
  alter table compared_pairs add constraint compared_pairs_wallet_id_foreign
    foreign key (wallet_id) references pool_wallets (id) on delete cascade;
  alter table chain_identity add final_at timestamptz(6) null;
  alter table order_switch drop constraint order_switch_single_row;
  alter table order_switch add constraint order_switch_known check (id in (1, 2));
  insert into order_switch (id) values (1), (2) on conflict (id) do nothing;
`;

/** What tells a database from a restored or copied one, and a switch for reclaims. The row of an identity is written by the first start. */
export class DatabaseIdentityTables extends Migration {
  override name = '0051-database-identity';

  override up(): void {
    this.addSql(CHANGE);
  }
}
