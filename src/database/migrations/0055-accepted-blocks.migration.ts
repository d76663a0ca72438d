import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  create table accepted_blocks (number bigint not null, id text not null, digest text not null, accepted_by text not null, accepted_at timestamptz(6) not null default now(), primary key (number));
  alter table accepted_blocks add constraint accepted_blocks_accepted_by_check check (accepted_by in ('nodes', 'operator'));
`;

export class AcceptedBlocks extends Migration {
  override name = '0055-accepted-blocks';

  override up(): void {
    this.addSql(CHANGE);
  }
}
