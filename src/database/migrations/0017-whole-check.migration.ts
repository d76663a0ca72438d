import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  create table whole_check (
    id int not null,
    run bigint not null,
    asked_by_id uuid null,
    begun_at timestamptz(6) not null,
    claimed_until timestamptz(6) not null,
    ended_at timestamptz(6) null,
    outcome text null,
    result jsonb null,
    primary key (id)
  );
  alter table whole_check add constraint whole_check_single_row check (id = 1);
  alter table whole_check add constraint whole_check_outcome_check check (outcome in ('done', 'unreachable', 'failed'));
  alter table whole_check add constraint whole_check_asked_by_id_foreign foreign key (asked_by_id) references users (id) on delete restrict;
`;

export class WholeCheckTable extends Migration {
  override name = '0017-whole-check';

  override up(): void {
    this.addSql(CHANGE);
  }
}
