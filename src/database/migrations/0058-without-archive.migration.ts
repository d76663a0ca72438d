import { OneByOne } from './one-by-one';

/** The archive's tables and their columns; `first` comes before every key. */
const TABLES = [
  {
    table: 'delegations',
    key: 'id',
    first: `uuid '00000000-0000-0000-0000-000000000000'`,
    columns: `id, user_id, receiver, transactions, energy, rental_minutes, activate, idempotency_key, state, wallet_id, stake_sun,
      cost_sun, paid_by, activates, answer, answer_code, answered_at, delegation_block, delegated_at, reclaim_due_at, reclaimed_at,
      shortage_sun, epoch, claimed_until, claim_ms, attempts, next_attempt_at, last_error, created_at`,
  },
  {
    table: 'holds',
    key: 'delegation_id',
    first: `uuid '00000000-0000-0000-0000-000000000000'`,
    columns: `delegation_id, user_id, amount_sun, subscription_id, quota_energy, state, created_at, settled_at, token_day_id,
      counted_sun, max_cost_sun`,
  },
  {
    table: 'chain_transactions',
    key: 'id',
    first: `bigint '-1'`,
    columns: `id, tx_id, purpose, delegation_id, wallet_id, receiver, amount_sun, raw_data, raw_data_hex, signature, raw_data_bytes,
      signature_bytes, expiration_ms, ref_block_number, ref_block_id, state, resend, last_sent_at, block_number, block_id,
      block_time_ms, created_at, tail_bytes, branch_bytes`,
  },
  { table: 'delegation_events', key: 'id', first: `bigint '-1'`, columns: 'id, delegation_id, at, kind, detail' },
];
const BATCH = 500;

/** A row leaves as it is; none comes any more. */
const CLOSED = (table: string) => `
  create or replace trigger archived_${table}_append_only before insert or update or truncate on archived_${table}
    for each statement execute function refuse_change()`;

/** The keys of archived orders are in `order_keys` already; one that another order has is refused as before. */
const keysKept = (condition: string) => `
  create or replace function order_keys_kept() returns trigger language plpgsql as $$
  begin
    insert into order_keys (key, delegation_id)
    select sha256(convert_to(user_id::text || ' ' || idempotency_key, 'UTF8')), id from added where idempotency_key is not null${condition};
    return null;
  end $$`;
const KEYS_MAY_BE_THERE = keysKept(`
      and not exists (select from order_keys k
                       where k.key = sha256(convert_to(user_id::text || ' ' || idempotency_key, 'UTF8')) and k.delegation_id = added.id)`);
const KEYS_ARE_NEW = keysKept('');

/** Each batch is committed by itself; each row is in one of the two tables, whenever a running instance looks. */
const movedBack = ({ table, key, first, columns }: (typeof TABLES)[number]) => `
  do $$
  declare
    last archived_${table}.${key}%type := ${first};
  begin
    loop
      with batch as (
        select ${key} from archived_${table} where ${key} > last order by ${key} limit ${BATCH}
      ), gone as (
        delete from archived_${table} a using batch where a.${key} = batch.${key} returning a.*
      ), added as (
        insert into ${table} (${columns}) select ${columns} from gone
      )
      select (array_agg(${key} order by ${key} desc))[1] into last from batch;
      exit when last is null;
      commit;
    end loop;
  end $$`;

const dropped = (table: string) => `
  do $$ begin
    if exists (select from archived_${table}) then
      raise exception 'archived_${table} still has rows';
    end if;
    drop table archived_${table};
  end $$`;

const EVENTS_STAY = `
  create or replace trigger delegation_events_append_only before update or delete or truncate on delegation_events
    for each statement execute function refuse_change()`;

/** Old orders stay in their tables, for their number makes nothing slower. All rows of the archive move back, and it goes. */
export class WithoutArchive extends OneByOne {
  override name = '0058-without-archive';

  override async up(): Promise<void> {
    const there = [];
    for (const each of TABLES) if (await this.isThere(`archived_${each.table}`)) there.push(each);
    // Events first: an older instance's archiver writes those before anything else. So what it has begun is complete, and what it
    // begins from here on is refused as a whole.
    for (const { table } of there.toReversed()) this.addSql(CLOSED(table));
    this.addSql(KEYS_MAY_BE_THERE);
    for (const each of there) this.addSql(movedBack(each));
    this.addSql(KEYS_ARE_NEW);
    for (const { table } of TABLES) this.addSql(`drop view if exists all_${table}`);
    for (const { table } of there) this.addSql(dropped(table));
    this.addSql('drop trigger if exists delegation_events_archived_first on delegation_events');
    this.addSql('drop function if exists order_events_archived_first()');
    this.addSql(EVENTS_STAY);
  }

  private async isThere(table: string): Promise<boolean> {
    return (await this.execute('select 1 from pg_class where oid = to_regclass(?)', [table])).length > 0;
  }
}
