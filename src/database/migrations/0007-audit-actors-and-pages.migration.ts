import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  alter table audit_log alter column actor_id drop not null;
  alter table audit_log drop constraint audit_log_outcome_check;
  alter table audit_log add constraint audit_log_outcome_check check (outcome in ('begun', 'done', 'refused', 'failed'));

  drop index holds_open_by_user;
  create index holds_open_by_user on holds (user_id, delegation_id) where state = 'held';
  create index findings_open_page on findings (id) where resolved_at is null;
`;

export class AuditActorsAndPages extends Migration {
  override name = '0007-audit-actors-and-pages';

  override up(): void {
    this.addSql(CHANGE);
  }
}
