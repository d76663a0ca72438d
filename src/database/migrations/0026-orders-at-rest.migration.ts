import { OneByOne } from './one-by-one';

/**
 * Bytes are kept as bytes, half as long as in hex; the JSON that a node takes is made of them. Of what is settled only the bytes are
 * needed, so that the rest may be null.
 */
const BYTES = `
  alter table chain_transactions
    add column if not exists raw_data_bytes bytea null,
    add column if not exists signature_bytes bytea null,
    alter column raw_data drop not null,
    alter column raw_data_hex drop not null,
    alter column signature drop not null,
    alter column ref_block_id drop not null`;

/** An order leaves a dozen dead versions of its rows behind: a fifth of ten million orders, the default, would be too late to use their room again. */
const VACUUMED = ['delegations', 'chain_transactions', 'holds'];
const OFTEN = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02';

/**
 * What an order is found by for ever, wherever its rows are: a hash of its user and idempotency key, from the statement on that writes
 * the order, whichever version does; and the ids of its transactions once it is in the archive.
 */
const KEYS = `
  create table if not exists order_keys (
    key bytea not null,
    delegation_id uuid not null,
    primary key (key),
    constraint order_keys_hashes check (length(key) = 32)
  )`;
const KEYS_OF_NEW_ORDERS = `
  create or replace function order_keys_kept() returns trigger language plpgsql as $$
  begin
    insert into order_keys (key, delegation_id)
    select sha256(convert_to(user_id::text || ' ' || idempotency_key, 'UTF8')), id from added where idempotency_key is not null;
    return null;
  end $$`;
const AT_EACH_INSERT = `
  create or replace trigger delegations_keys_kept after insert on delegations referencing new table as added
    for each statement execute function order_keys_kept()`;
const FOR_EVER = `
  create or replace trigger order_keys_append_only before update or delete or truncate on order_keys
    for each statement execute function refuse_change()`;

export class OrdersAtRest extends OneByOne {
  override name = '0026-orders-at-rest';

  override up(): void {
    for (const statement of [BYTES, KEYS, KEYS_OF_NEW_ORDERS, AT_EACH_INSERT, FOR_EVER]) this.addSql(statement);
    for (const table of VACUUMED) this.addSql(`alter table ${table} set (${OFTEN})`);
  }
}
