import { OneByOne } from './one-by-one';

/** Where orders go that are over: the same rows under other names, with only those indexes that look-up and audit need. */
const TABLES = `
  create table if not exists archived_delegations (
    id uuid not null,
    user_id uuid not null,
    receiver text not null,
    transactions text not null,
    energy bigint not null,
    rental_minutes int not null,
    activate boolean not null,
    idempotency_key text null,
    state text not null,
    wallet_id uuid not null,
    stake_sun bigint not null,
    cost_sun bigint not null,
    paid_by text not null,
    activates boolean not null default false,
    answer text not null default 'none',
    answer_code text null,
    answered_at timestamptz(6) null,
    delegation_block bigint null,
    delegated_at timestamptz(6) null,
    reclaim_due_at timestamptz(6) null,
    reclaimed_at timestamptz(6) null,
    shortage_sun bigint not null default 0,
    epoch int not null default 0,
    claimed_until timestamptz(6) null,
    claim_ms int null,
    attempts int not null default 0,
    next_attempt_at timestamptz(6) null,
    last_error text null,
    created_at timestamptz(6) not null default now(),
    primary key (id),
    constraint archived_delegations_over check (state in ('reclaimed', 'failed', 'taken_back'))
  );
  create index if not exists archived_delegations_user_page on archived_delegations (user_id, created_at, id);
  create index if not exists archived_delegations_user_state on archived_delegations (user_id, state, created_at, id) where state <> 'reclaimed';
  create index if not exists archived_delegations_page on archived_delegations (created_at, id);
  create index if not exists archived_delegations_uncommon_state on archived_delegations (state, created_at, id) where state <> 'reclaimed';
  create index if not exists archived_delegations_receiver on archived_delegations (receiver, created_at);

  create table if not exists archived_holds (
    delegation_id uuid not null,
    user_id uuid not null,
    amount_sun bigint not null,
    subscription_id uuid null,
    quota_energy bigint not null default 0,
    state text not null default 'held',
    created_at timestamptz(6) not null default now(),
    settled_at timestamptz(6) null,
    primary key (delegation_id),
    constraint archived_holds_settled check (state in ('taken', 'released'))
  );
  create index if not exists archived_holds_subscription on archived_holds (subscription_id) where subscription_id is not null;

  create table if not exists archived_chain_transactions (
    id bigint not null,
    tx_id text not null,
    purpose text not null,
    delegation_id uuid not null,
    wallet_id uuid not null,
    receiver text not null,
    amount_sun bigint not null,
    raw_data jsonb null,
    raw_data_hex text null,
    signature text null,
    raw_data_bytes bytea null,
    signature_bytes bytea null,
    expiration_ms bigint not null,
    ref_block_number bigint not null,
    ref_block_id text null,
    state text not null default 'saved',
    resend boolean not null default false,
    last_sent_at timestamptz(6) null,
    block_number bigint null,
    block_id text null,
    block_time_ms bigint null,
    created_at timestamptz(6) not null default now(),
    primary key (id),
    constraint archived_chain_transactions_settled check (state in ('final', 'dead'))
  );
  create index if not exists archived_chain_transactions_delegation on archived_chain_transactions (delegation_id);

  create table if not exists archived_delegation_events (
    id bigint not null,
    delegation_id uuid not null,
    at timestamptz(6) not null default clock_timestamp(),
    kind text not null,
    detail jsonb not null,
    primary key (id)
  );
  create index if not exists archived_delegation_events_delegation on archived_delegation_events (delegation_id);
`;

/** Both places together, for whoever does not care which. */
const COLUMNS = {
  delegations: `id, user_id, receiver, transactions, energy, rental_minutes, activate, idempotency_key, state, wallet_id, stake_sun,
    cost_sun, paid_by, activates, answer, answer_code, answered_at, delegation_block, delegated_at, reclaim_due_at, reclaimed_at,
    shortage_sun, epoch, claimed_until, claim_ms, attempts, next_attempt_at, last_error, created_at`,
  holds: 'delegation_id, user_id, amount_sun, subscription_id, quota_energy, state, created_at, settled_at',
  chain_transactions: `id, tx_id, purpose, delegation_id, wallet_id, receiver, amount_sun, raw_data, raw_data_hex, signature,
    raw_data_bytes, signature_bytes, expiration_ms, ref_block_number, ref_block_id, state, resend, last_sent_at, block_number, block_id,
    block_time_ms, created_at`,
  delegation_events: 'id, delegation_id, at, kind, detail',
};
const VIEWS = Object.entries(COLUMNS).map(
  ([table, columns]) => `
  create or replace view all_${table} as
    select ${columns} from ${table} union all select ${columns} from archived_${table}`,
);

const APPEND_ONLY = Object.keys(COLUMNS).map(
  (table) => `
  create or replace trigger archived_${table}_append_only before update or delete or truncate on archived_${table}
    for each statement execute function refuse_change()`,
);

/** An event goes when it is in the archive as it was, and not before. */
const ARCHIVED_FIRST = `
  create or replace function order_events_archived_first() returns trigger language plpgsql as $$
  begin
    if exists (select from gone where not exists (
                 select from archived_delegation_events a
                  where a.id = gone.id and (a.delegation_id, a.at, a.kind, a.detail) = (gone.delegation_id, gone.at, gone.kind, gone.detail))) then
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end if;
    return null;
  end $$`;
const AT_EACH_DELETE = `
  create or replace trigger delegation_events_archived_first after delete on delegation_events referencing old table as gone
    for each statement execute function order_events_archived_first()`;
const NO_OTHER_CHANGE = `
  create or replace trigger delegation_events_append_only before update or truncate on delegation_events
    for each statement execute function refuse_change()`;

export class Archive extends OneByOne {
  override name = '0027-archive';

  override up(): void {
    this.addSql(TABLES);
    for (const statement of [...VIEWS, ...APPEND_ONLY, ARCHIVED_FIRST, AT_EACH_DELETE, NO_OTHER_CHANGE])
      this.addSql(statement);
  }
}
