import { Migration } from '@mikro-orm/migrations';

/**
 * No row has a wallet yet, so that nothing is read for the foreign key. Its lock on `pool_wallets` comes first: who resumes a wallet
 * updates that table and reads `findings` after it.
 */
const COLUMNS = `
  lock table pool_wallets in share row exclusive mode;
  alter table findings
    add column subject_type text null,
    add column subject_id text null,
    add column wallet_id uuid null
      constraint findings_wallet_id_foreign references pool_wallets (id) on delete set null,
    add column receiver text null,
    add column reason_code text null,
    add column parameters jsonb null,
    add column action_code text null;
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

/**
 * Nor does it know of codes: where it writes another sentence beside one, the sentence alone is right. A newer version that only
 * words it differently has its code back when it sees the finding once more.
 */
const CODES = `
  create function finding_codes_of_older_versions() returns trigger language plpgsql as $$
  begin
    if new.reason <> old.reason
       and (new.reason_code, new.parameters) is not distinct from (old.reason_code, old.parameters) then
      new.reason_code := null;
      new.parameters := null;
    end if;
    if new.action is distinct from old.action and new.action_code is not distinct from old.action_code then
      new.action_code := null;
    end if;
    return new;
  end $$;
  create trigger finding_codes_of_older_versions before update of reason, action on findings
    for each row execute function finding_codes_of_older_versions();
`;

/** What findings say becomes a code with its values, and what they speak of columns: nothing has to read sentences any more. */
export class FindingsInColumns extends Migration {
  override name = '0020-findings-in-columns';

  override up(): void {
    this.addSql(COLUMNS);
    this.addSql(SUBJECTS);
    this.addSql(CODES);
  }
}
