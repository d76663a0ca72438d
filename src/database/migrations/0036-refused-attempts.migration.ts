import { Migration } from '@mikro-orm/migrations';

/** Counted by day, customer and reason; the newest of each customer one by one. Neither grows with the number of attempts. */
const TABLES = `
  create table refused_attempt_days (
    id bigserial primary key,
    day date not null,
    user_id uuid not null,
    code text not null,
    attempts bigint not null,
    constraint refused_attempt_days_positive check (attempts > 0),
    constraint refused_attempt_days_day_user_code unique (day, user_id, code),
    constraint refused_attempt_days_user_id_foreign foreign key (user_id) references users (id) on delete restrict
  );
  create index refused_attempt_days_user on refused_attempt_days (user_id, day);

  create table refused_attempts (
    id bigserial primary key,
    user_id uuid not null,
    token_id uuid null,
    first_at timestamptz(6) not null,
    last_at timestamptz(6) not null,
    times bigint not null,
    code text not null,
    fields text[] null,
    receiver text null,
    amount text null,
    request_id text null,
    constraint refused_attempts_lengths check
      (length(receiver) <= 34 and length(amount) <= 30 and length(request_id) <= 128 and times > 0),
    constraint refused_attempts_user_id_foreign foreign key (user_id) references users (id) on delete restrict,
    constraint refused_attempts_token_id_foreign foreign key (token_id) references api_tokens (id) on delete restrict
  );
  create index refused_attempts_user_page on refused_attempts (user_id, id);
  create index refused_attempts_age on refused_attempts (last_at);
`;

export class RefusedAttemptTables extends Migration {
  override name = '0036-refused-attempts';

  override up(): void {
    this.addSql(TABLES);
  }
}
