import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  create table second_factors (
    user_id uuid not null,
    secret text not null,
    last_step bigint not null,
    created_at timestamptz(6) not null default now(),
    primary key (user_id)
  );
  alter table second_factors add constraint second_factors_secret_length check (length(secret) <= 1000);
  alter table second_factors add constraint second_factors_user_id_foreign
    foreign key (user_id) references users (id) on update cascade on delete restrict;

  create table recovery_codes (
    user_id uuid not null,
    code_hash text not null,
    primary key (user_id, code_hash)
  );
  alter table recovery_codes add constraint recovery_codes_user_id_foreign
    foreign key (user_id) references users (id) on delete restrict;

  alter table sessions
    add column network text null,
    add column browser text null,
    add column seen_at timestamptz(6) null,
    add column password_at timestamptz(6) null;
`;

/** What is given beside the password, and what sessions say of themselves. */
export class SecondFactors extends Migration {
  override name = '0038-second-factors';

  override up(): void {
    this.addSql(CHANGE);
  }
}
