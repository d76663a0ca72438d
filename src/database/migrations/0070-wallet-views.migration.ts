import { OneByOne } from './one-by-one';

const TABLE = `
  create table if not exists wallet_views (
    wallet_id uuid not null,
    newest jsonb not null,
    newest_block bigint not null,
    newest_until bigint not null,
    newest_at timestamptz(6) not null,
    explained jsonb not null,
    explained_block bigint not null,
    explained_until bigint not null,
    explained_at timestamptz(6) not null,
    used_block bigint null,
    primary key (wallet_id),
    constraint wallet_views_wallet_id_foreign foreign key (wallet_id) references pool_wallets (id) on update cascade on delete cascade
  )`;

/** What the chain shows of each wallet, so that what somebody else does with it is noticed. */
export class WalletViewsTable extends OneByOne {
  override name = '0070-wallet-views';

  override up(): void {
    this.addSql(TABLE);
  }
}
