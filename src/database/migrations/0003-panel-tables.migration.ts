import { Migration } from '@mikro-orm/migrations';

const TABLES = `
  create table session_secret (
    id int not null,
    secret text not null,
    primary key (id)
  );
  alter table session_secret add constraint session_secret_single_row check (id = 1);

  create table sessions (
    key text not null,
    user_id uuid not null,
    data jsonb not null,
    expires_at timestamptz(6) not null,
    created_at timestamptz(6) not null default now(),
    primary key (key)
  );
  create index sessions_user on sessions (user_id);
  create index sessions_expires_at on sessions (expires_at);
  alter table sessions add constraint sessions_user_id_foreign foreign key (user_id) references users (id) on delete restrict;

  create table invitations (
    key text not null,
    user_id uuid null,
    expires_at timestamptz(6) not null,
    created_at timestamptz(6) not null default now(),
    primary key (key)
  );
  create index invitations_user on invitations (user_id);
  alter table invitations add constraint invitations_user_id_foreign foreign key (user_id) references users (id) on delete restrict;

  create table audit_log (
    id bigserial primary key,
    at timestamptz(6) not null default clock_timestamp(),
    actor_id uuid not null,
    address text not null,
    action text not null,
    subject text not null,
    outcome text not null,
    before jsonb null,
    after jsonb null
  );
  create index audit_log_actor_page on audit_log (actor_id, id);
  create index audit_log_subject_page on audit_log (subject, id);
  alter table audit_log add constraint audit_log_actor_id_foreign foreign key (actor_id) references users (id) on delete restrict;
  alter table audit_log add constraint audit_log_outcome_check check (outcome in ('done', 'refused'));

  create index users_email_prefix on users (email text_pattern_ops);
  create index delegations_state_page on delegations (state, created_at, id);
`;

/** By hand. gen_random_uuid draws on the server's strong random source: 244 bits here. */
const BY_HAND = `
  insert into session_secret (id, secret) values (1, gen_random_uuid()::text || gen_random_uuid()::text);

  create trigger audit_log_append_only before update or delete or truncate on audit_log
    for each statement execute function refuse_change();
`;

export class PanelTables extends Migration {
  override name = '0003-panel-tables';

  override up(): void {
    this.addSql(TABLES);
    this.addSql(BY_HAND);
  }
}
