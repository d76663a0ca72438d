import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  alter table users add column session_epoch int not null default 0;
  alter table sessions add column epoch int not null default 0;

  create table known_places (
    user_id uuid not null,
    network text not null,
    last_at timestamptz(6) not null default now(),
    primary key (user_id, network)
  );
  create index known_places_last_at on known_places (last_at);
  alter table known_places add constraint known_places_user_id_foreign foreign key (user_id) references users (id) on delete restrict;
`;

export class SignIn extends Migration {
  override name = '0008-sign-in';

  override up(): void {
    this.addSql(CHANGE);
  }
}
