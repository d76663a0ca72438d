import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  create table chain_faults (kind text not null, parameters jsonb not null, first_seen_at timestamptz(6) not null default now(), primary key (kind));
  create table witness_set (id int not null, witnesses jsonb not null, valid_until_ms bigint not null, read_at timestamptz(6) not null default now(), base jsonb not null, base_at timestamptz(6) not null default now(), offered jsonb null, offered_at timestamptz(6) null, primary key (id));
  alter table chain_identity add final_number bigint null, add final_id text null;
  alter table chain_faults add constraint chain_faults_kind_check check (kind in ('branch_refused', 'witnesses_disagree', 'witnesses_changed', 'block_unreadable'));
  alter table witness_set add constraint witness_set_single_row check (id = 1);
`;

export class BelievedChain extends Migration {
  override name = '0022-believed-chain';

  override up(): void {
    this.addSql(CHANGE);
  }
}
