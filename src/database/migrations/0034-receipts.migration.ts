import { OneByOne } from './one-by-one';

/** Of final delegations: what follows the signed bytes in the block, and the Merkle branch. */
const PROOFS = ['archived_chain_transactions', 'chain_transactions'].map(
  (table) => `
  alter table ${table}
    add column if not exists tail_bytes bytea null,
    add column if not exists branch_bytes bytea null`,
);

const COLUMNS = `id, tx_id, purpose, delegation_id, wallet_id, receiver, amount_sun, raw_data, raw_data_hex, signature, raw_data_bytes,
    signature_bytes, expiration_ms, ref_block_number, ref_block_id, state, resend, last_sent_at, block_number, block_id, block_time_ms,
    created_at, tail_bytes, branch_bytes`;
const BOTH_PLACES = `
  create or replace view all_chain_transactions as
    select ${COLUMNS} from chain_transactions union all select ${COLUMNS} from archived_chain_transactions`;

const WITNESSES = `
  create table if not exists receipt_witnesses (
    id serial primary key,
    witnesses jsonb not null,
    digest bytea not null,
    constraint receipt_witnesses_digest unique (digest)
  )`;
const HEADERS = `
  create table if not exists receipt_headers (
    number bigint not null,
    header bytea not null,
    signature bytea not null,
    above smallint null,
    witnesses_id int null,
    primary key (number),
    constraint receipt_headers_whole check ((above is null) = (witnesses_id is null)),
    constraint receipt_headers_witnesses_id_foreign foreign key (witnesses_id) references receipt_witnesses (id) on delete restrict
  )`;

/** What proves an order's delegation to anyone: its place in a block, and the headers that make the block final. */
export class Receipts extends OneByOne {
  override name = '0034-receipts';

  override up(): void {
    for (const statement of [...PROOFS, BOTH_PLACES, WITNESSES, HEADERS]) this.addSql(statement);
  }
}
