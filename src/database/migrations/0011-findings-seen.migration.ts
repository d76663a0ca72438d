import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  create table unexplained_stakes (
    wallet_id uuid not null,
    receiver text not null,
    foreign_sun bigint not null,
    missing_sun bigint not null,
    primary key (wallet_id, receiver)
  );
  alter table unexplained_stakes add constraint unexplained_stakes_wallet_id_foreign
    foreign key (wallet_id) references pool_wallets (id) on delete cascade;

  alter table audit_log add column service text null;
  alter table audit_log add constraint audit_log_one_actor check (actor_id is null or service is null);
  create index audit_log_service_page on audit_log (service, id) where service is not null;

  alter table findings add column amount_sun bigint null, add column acknowledged_at timestamptz(6) null, add column note text null;
  alter table findings add constraint findings_acknowledged_is_over
    check (acknowledged_at is null or (resolved_at is not null and note is not null and amount_sun is not null));
  create index findings_acknowledged on findings (subject) where acknowledged_at is not null;
`;

/** What is open was paused for, or an operator has resumed over it: neither is new with this version. The amounts stand in the reasons. */
const SEEN_BEFORE = String.raw`
  insert into unexplained_stakes (wallet_id, receiver, foreign_sun, missing_sun)
  select id, receiver, coalesce(max(shown - explained) filter (where shown > explained), 0),
         coalesce(max(explained - shown) filter (where explained > shown), 0)
    from (select w.id, substring(f.subject from '\S+$') as receiver,
                 substring(f.reason from '^the chain shows (\d+) sun lent')::bigint as shown,
                 substring(f.reason from '^the chain shows \d+ sun lent, the orders [a-z ]+ (\d+)')::bigint as explained
            from findings f join pool_wallets w on f.subject = w.name || ' to ' || substring(f.subject from '\S+$')
           where f.resolved_at is null) open
   where shown <> explained
   group by id, receiver;

  update findings set amount_sun = substring(reason from '^(\d+) of \d+ sun were no longer there')::bigint
   where kind = 'shortage' and resolved_at is null;
`;

export class FindingsSeen extends Migration {
  override name = '0011-findings-seen';

  override up(): void {
    this.addSql(CHANGE);
    this.addSql(SEEN_BEFORE);
  }
}
