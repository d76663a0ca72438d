import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  create table pending_sign_ins (
    key text not null,
    user_id uuid not null,
    epoch int not null,
    first_step text not null,
    network text not null,
    expires_at timestamptz(6) not null,
    primary key (key)
  );
  create index pending_sign_ins_user on pending_sign_ins (user_id);
  create index pending_sign_ins_expires_at on pending_sign_ins (expires_at);
  alter table pending_sign_ins add constraint pending_sign_ins_user_id_foreign
    foreign key (user_id) references users (id) on delete restrict;
  alter table pending_sign_ins add constraint pending_sign_ins_first_step
    check (first_step in ('password', 'link'));
`;

/** What was a signed cookie, for which a copy of the database was enough: one that an older instance has left is asked for again. */
export class PendingSignIns extends Migration {
  override name = '0049-pending-sign-ins';

  override up(): void {
    this.addSql(CHANGE);
  }
}
