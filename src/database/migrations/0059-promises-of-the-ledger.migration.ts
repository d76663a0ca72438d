import { OneByOne } from './one-by-one';

/** Looks at all rows while others write. An old row that breaks it is for the audit to find, and keeps no service from starting. */
const SIGN = [
  'alter table ledger_entries drop constraint if exists ledger_entries_sign',
  `alter table ledger_entries add constraint ledger_entries_sign check ((kind = 'credit') = (amount_sun > 0)) not valid`,
  `do $$ begin
     alter table ledger_entries validate constraint ledger_entries_sign;
   exception when check_violation then null;
   end $$`,
];

/** The clock's time and the sequence's number, after the account's lock. A search_path may put another clock before PostgreSQL's, but not in a column's default. Older versions give the clock's time themselves. */
const STAMPED = `
  create or replace function stamp_ledger_entry() returns trigger language plpgsql as $$
  begin
    if new.id is distinct from currval('ledger_entries_id_seq') then
      raise exception 'the id of a ledger entry comes by default only' using errcode = 'restrict_violation';
    end if;
    if new.at not in (now(), pg_catalog.now()) and new.at not between now() and clock_timestamp() then
      raise exception 'the time of a ledger entry comes by default only' using errcode = 'restrict_violation';
    end if;
    new.at := clock_timestamp();
    return new;
  end $$`;

/**
 * Looks at commit, when the account's row is locked by its own change: no other transaction has an entry of this account that is not
 * seen here. One that has not changed the account's row itself finds an entry that is not the account's balance. Entries are looked
 * for in the order of (user, id), which one index alone has.
 */
const ENTRIES_ADD_UP = `
  create or replace function check_ledger_entry() returns trigger language plpgsql as $$
  declare
    before record;
    after record;
  begin
    select user_id, balance_sun into before from ledger_entries
     where (user_id, id) < (new.user_id, new.id) order by user_id desc, id desc limit 1;
    select user_id, balance_sun, amount_sun into after from ledger_entries
     where (user_id, id) > (new.user_id, new.id) order by user_id, id limit 1;
    if new.balance_sun <> (case when before.user_id = new.user_id then before.balance_sun else 0 end)::numeric + new.amount_sun
       or after.user_id = new.user_id and after.balance_sun::numeric - after.amount_sun <> new.balance_sun then
      raise exception 'the balance of ledger entry % is not the one before it and its amount', new.id
        using errcode = 'check_violation', table = tg_table_name, constraint = tg_name;
    end if;
    if after.user_id is distinct from new.user_id
       and new.balance_sun is distinct from (select balance_sun from accounts where user_id = new.user_id) then
      raise exception 'the balance of account % is not that of its last ledger entry', new.user_id
        using errcode = 'check_violation', table = tg_table_name, constraint = tg_name;
    end if;
    return null;
  end $$`;

/** Of several changes in one transaction the last one counts. */
const ACCOUNTS_ADD_UP = `
  create or replace function check_account_balance() returns trigger language plpgsql as $$
  declare
    last record;
  begin
    if new.balance_sun is distinct from (select balance_sun from accounts where user_id = new.user_id) then
      return null;
    end if;
    select user_id, balance_sun into last from ledger_entries
     where user_id <= new.user_id order by user_id desc, id desc limit 1;
    if new.balance_sun <> (case when last.user_id = new.user_id then last.balance_sun else 0 end) then
      raise exception 'the balance of account % is not that of its last ledger entry', new.user_id
        using errcode = 'check_violation', table = tg_table_name, constraint = tg_name;
    end if;
    return null;
  end $$`;

const NO_REMOVAL = `
  create or replace function refuse_removal() returns trigger language plpgsql as $$
  begin
    raise exception 'rows of % are never deleted', tg_table_name using errcode = 'restrict_violation';
  end $$`;
const KEPT = ['accounts', 'holds', 'delegations', 'chain_transactions', 'subscriptions'];

const constraint = (name: string, table: string, when: string, work: string) => [
  `drop trigger if exists ${name} on ${table}`,
  `create constraint trigger ${name} after ${when} on ${table} deferrable initially deferred
    for each row ${work}`,
];

/** What the audit looks for in the ledger, the database refuses: whichever program writes. */
export class PromisesOfTheLedger extends OneByOne {
  override name = '0059-promises-of-the-ledger';

  override up(): void {
    const functions = [STAMPED, ENTRIES_ADD_UP, ACCOUNTS_ADD_UP, NO_REMOVAL];
    const triggers = [
      `create or replace trigger ledger_entries_stamped before insert on ledger_entries
        for each row execute function stamp_ledger_entry()`,
      ...constraint('ledger_entries_add_up', 'ledger_entries', 'insert', 'execute function check_ledger_entry()'),
      ...constraint('accounts_begin_and_add_up', 'accounts', 'insert', 'execute function check_account_balance()'),
      ...constraint(
        'accounts_add_up',
        'accounts',
        'update of balance_sun',
        'when (old.balance_sun <> new.balance_sun) execute function check_account_balance()',
      ),
      ...KEPT.map(
        (table) => `create or replace trigger ${table}_kept before delete or truncate on ${table}
        for each statement execute function refuse_removal()`,
      ),
    ];
    for (const statement of [...SIGN, ...functions, ...triggers]) this.addSql(statement);
  }
}
