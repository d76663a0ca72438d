import { Migration } from '@mikro-orm/migrations';
import { SENTENCE_ROWS } from './0020-finding-sentences';

const COLUMNS = `
  alter table findings
    add column subject_type text null,
    add column subject_id text null,
    add column wallet_id uuid null,
    add column receiver text null,
    add column reason_code text null,
    add column parameters jsonb null,
    add column action_code text null;
  alter table findings add constraint findings_wallet_id_foreign
    foreign key (wallet_id) references pool_wallets (id) on delete set null;
  drop index findings_acknowledged;
  create index findings_acknowledged on findings (subject_type, subject_id) where acknowledged_at is not null;
`;

/**
 * An older version beside this one goes on writing names alone. What it finds keeps a wallet paused all the same, so that its rows
 * get the columns as they are written. A wallet is the one that had the name when the finding was last seen.
 */
const SUBJECTS = String.raw`
  create function findings_of_older_versions() returns trigger language plpgsql as $$
  declare
    of_row text[] := regexp_match(new.subject, '^(delegation|user|subscription|ledger entry|transaction) ([0-9a-f-]+)$');
    of_pair text[] := regexp_match(new.subject, '^(.+) to (\S+)$');
    of_wallet boolean := new.kind in ('low_bandwidth', 'low_trx', 'wallet_refused');
  begin
    if of_row is not null and not of_wallet then
      new.subject_type := replace(of_row[1], ' ', '_');
      new.subject_id := of_row[2];
    elsif new.kind = 'low_stake' then
      new.subject_type := 'pool';
    elsif of_wallet or of_pair is not null then
      new.subject_type := case when of_wallet then 'wallet' else 'delegated_resource' end;
      new.receiver := case when not of_wallet then of_pair[2] end;
      new.wallet_id := (select w.id from pool_wallets w
                         where w.name = case when of_wallet then new.subject else of_pair[1] end
                           and coalesce(w.removed_at >= new.last_seen_at, true)
                         order by w.removed_at nulls last limit 1);
    end if;
    return new;
  end $$;
  create trigger findings_of_older_versions before insert or update on findings
    for each row when (new.subject_type is null) execute function findings_of_older_versions();
`;

/** The trigger above fills in what each row is about. A sentence that is not known stays the only text of its row. */
const CARRY = String.raw`
  with sentences (code, names, pattern, also) as (values
    ${SENTENCE_ROWS}),
  read as (
    select f.id, s.code, s.also || coalesce(v.said, '{}') as parameters
      from findings f
      join sentences s on f.reason ~ s.pattern
      cross join lateral (
        select jsonb_object_agg(name, case
                 when name = 'orders' then to_jsonb(regexp_split_to_array(value, ', '))
                 when name like '%\_sun' and value ~ '^-?[0-9]+\.[0-9]{6}$'
                   then to_jsonb((value::numeric * 1000000)::numeric(60, 0)::text)
                 else to_jsonb(value) end) as said
          from unnest(s.names, regexp_match(f.reason, s.pattern)) as g (name, value)) v)
  update findings f set reason_code = read.code, parameters = read.parameters from read where read.id = f.id;

  update findings set subject = subject where subject_type is null;

  update findings set action_code = case
      when action = 'mended: the hold was released' then 'hold_released'
      when action = 'mended: the hold was taken' then 'hold_taken'
      when action = 'mended: the held amount is the sum of the open holds again' then 'held_corrected'
      when action ~ '^paused: .+ takes no new orders$' then 'wallet_paused' end
   where action is not null;
`;

/** What findings say becomes a code with its values, and what they speak of columns: nothing has to read sentences any more. */
export class FindingsInColumns extends Migration {
  override name = '0020-findings-in-columns';

  override up(): void {
    this.addSql(COLUMNS);
    this.addSql(SUBJECTS);
    this.addSql(CARRY);
  }
}
