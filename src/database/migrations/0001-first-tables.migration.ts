import { Migration } from '@mikro-orm/migrations';

/** Written by MikroORM from the entities; the triggers below by hand. */
const TABLES = `
  create table users (
    id uuid not null,
    email text not null,
    name text not null,
    operator boolean not null default false,
    rate_limit_per_minute int null,
    password_hash text null,
    disabled_at timestamptz(6) null,
    created_at timestamptz(6) not null default now(),
    primary key (id)
  );
  alter table users add constraint users_email_unique unique (email);
  alter table users add constraint users_email_lower_case check (email = lower(email));
  alter table users add constraint users_rate_limit_positive check (rate_limit_per_minute > 0);

  create table api_tokens (
    id uuid not null,
    user_id uuid not null,
    name text not null,
    prefix text not null,
    hash bytea not null,
    permissions text[] not null,
    expires_at timestamptz(6) null,
    last_used_at timestamptz(6) null,
    revoked_at timestamptz(6) null,
    created_at timestamptz(6) not null default now(),
    primary key (id)
  );
  alter table api_tokens add constraint api_tokens_hash_unique unique (hash);
  create index api_tokens_user on api_tokens (user_id, created_at);

  create table accounts (
    user_id uuid not null,
    balance_sun bigint not null default 0,
    held_sun bigint not null default 0,
    unit_price_sun bigint null,
    updated_at timestamptz(6) not null default now(),
    primary key (user_id)
  );
  alter table accounts add constraint accounts_balance_not_negative check (balance_sun >= 0);
  alter table accounts add constraint accounts_held_within_balance check (held_sun >= 0 and held_sun <= balance_sun);
  alter table accounts add constraint accounts_unit_price_bounds check (unit_price_sun >= 2000000 and unit_price_sun <= 2500000);

  create table ledger_entries (
    id bigserial primary key,
    user_id uuid not null,
    at timestamptz(6) not null default now(),
    kind text not null,
    amount_sun bigint not null,
    balance_sun bigint not null,
    delegation_id uuid null,
    reference text null,
    note text null
  );
  create index ledger_entries_user_page on ledger_entries (user_id, id);
  create unique index ledger_entries_one_charge_per_delegation on ledger_entries (delegation_id) where kind = 'charge';
  create unique index ledger_entries_reference_once on ledger_entries (user_id, reference) where reference is not null;
  alter table ledger_entries add constraint ledger_entries_balance_not_negative check (balance_sun >= 0);
  alter table ledger_entries add constraint ledger_entries_amount_not_zero check (amount_sun <> 0);
  alter table ledger_entries add constraint ledger_entries_kind_check check (kind in ('credit', 'debit', 'charge'));

  create table subscriptions (
    id uuid not null,
    user_id uuid not null,
    quota_energy bigint not null,
    used_energy bigint not null default 0,
    held_energy bigint not null default 0,
    valid_from timestamptz(6) not null default now(),
    valid_until timestamptz(6) not null,
    created_at timestamptz(6) not null default now(),
    primary key (id)
  );
  create index subscriptions_user_valid_until on subscriptions (user_id, valid_until);
  alter table subscriptions add constraint subscriptions_quota_not_overdrawn check (used_energy >= 0 and held_energy >= 0 and used_energy + held_energy <= quota_energy);

  create table holds (
    delegation_id uuid not null,
    user_id uuid not null,
    amount_sun bigint not null,
    subscription_id uuid null,
    quota_energy bigint not null default 0,
    state text not null default 'held',
    created_at timestamptz(6) not null default now(),
    settled_at timestamptz(6) null,
    primary key (delegation_id)
  );
  create index holds_open_by_user on holds (user_id) where state = 'held';
  alter table holds add constraint holds_amounts_not_negative check (amount_sun >= 0 and quota_energy >= 0);
  alter table holds add constraint holds_state_check check (state in ('held', 'taken', 'released'));

  create table pool_wallets (
    id uuid not null,
    name text not null,
    address text not null,
    role text not null,
    state text not null default 'active',
    key_source text not null,
    permission_id int not null default 0,
    delegable_sun bigint not null default 0,
    stake_sun bigint not null default 0,
    balance_sun bigint not null default 0,
    bandwidth bigint not null default 0,
    observed_block bigint not null default -1,
    observed_at timestamptz(6) null,
    created_at timestamptz(6) not null default now(),
    primary key (id)
  );
  alter table pool_wallets add constraint pool_wallets_name_unique unique (name);
  alter table pool_wallets add constraint pool_wallets_address_role unique (address, role);
  alter table pool_wallets add constraint pool_wallets_role_check check (role in ('delegate', 'activate'));
  alter table pool_wallets add constraint pool_wallets_state_check check (state in ('active', 'paused', 'draining'));

  create table chain_identity (
    id int not null,
    genesis_block_id text not null,
    created_at timestamptz(6) not null default now(),
    primary key (id)
  );
  alter table chain_identity add constraint chain_identity_single_row check (id = 1);

  create table chain_transactions (
    id bigserial primary key,
    tx_id text not null,
    purpose text not null,
    delegation_id uuid not null,
    wallet_id uuid not null,
    receiver text not null,
    amount_sun bigint not null,
    raw_data jsonb not null,
    raw_data_hex text not null,
    signature text not null,
    expiration_ms bigint not null,
    ref_block_number bigint not null,
    ref_block_id text not null,
    state text not null default 'saved',
    resend boolean not null default false,
    last_sent_at timestamptz(6) null,
    block_number bigint null,
    block_id text null,
    block_time_ms bigint null,
    created_at timestamptz(6) not null default now()
  );
  alter table chain_transactions add constraint chain_transactions_tx_id_unique unique (tx_id);
  create index chain_transactions_delegation on chain_transactions (delegation_id);
  create index chain_transactions_open on chain_transactions (expiration_ms) where state in ('saved', 'sent', 'included');
  create unique index chain_transactions_one_delegation_per_order on chain_transactions (delegation_id) where purpose = 'delegation';
  create unique index chain_transactions_one_live_reclaim_per_order on chain_transactions (delegation_id) where purpose = 'reclaim' and state <> 'dead';
  create unique index chain_transactions_one_live_activation_per_receiver on chain_transactions (receiver) where purpose = 'activation' and state in ('saved', 'sent', 'included');
  alter table chain_transactions add constraint chain_transactions_purpose_check check (purpose in ('activation', 'delegation', 'reclaim'));
  alter table chain_transactions add constraint chain_transactions_state_check check (state in ('saved', 'sent', 'included', 'final', 'dead'));

  create table delegations (
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
    attempts int not null default 0,
    next_attempt_at timestamptz(6) null,
    last_error text null,
    created_at timestamptz(6) not null default now(),
    primary key (id)
  );
  create index delegations_user_page on delegations (user_id, created_at, id);
  create index delegations_page on delegations (created_at, id);
  create index delegations_receiver on delegations (receiver, created_at);
  create index delegations_live_by_wallet on delegations (wallet_id, state, stake_sun) where state in ('pending', 'activating', 'sent', 'included', 'delegated', 'reclaiming', 'taking_back');
  create index delegations_wallet_block on delegations (wallet_id, delegation_block) where delegation_block is not null;
  create index delegations_reclaim_due on delegations (reclaim_due_at) where state in ('delegated', 'reclaiming', 'taking_back');
  create unique index delegations_idempotency_key on delegations (user_id, idempotency_key) where idempotency_key is not null;
  alter table delegations add constraint delegations_amounts check (energy > 0 and stake_sun > 0 and cost_sun >= 0 and shortage_sun >= 0);
  alter table delegations add constraint delegations_state_check check (state in ('pending', 'activating', 'sent', 'included', 'delegated', 'reclaiming', 'reclaimed', 'failed', 'taking_back', 'taken_back'));
  alter table delegations add constraint delegations_paid_by_check check (paid_by in ('subscription', 'balance'));
  alter table delegations add constraint delegations_answer_check check (answer in ('none', 'success', 'failure'));

  create table delegation_events (
    id bigserial primary key,
    delegation_id uuid not null,
    at timestamptz(6) not null default clock_timestamp(),
    kind text not null,
    detail jsonb not null
  );
  create index delegation_events_delegation on delegation_events (delegation_id, id);

  alter table api_tokens add constraint api_tokens_user_id_foreign foreign key (user_id) references users (id) on delete restrict;
  alter table accounts add constraint accounts_user_id_foreign foreign key (user_id) references users (id) on update cascade on delete restrict;
  alter table ledger_entries add constraint ledger_entries_user_id_foreign foreign key (user_id) references users (id) on delete restrict;
  alter table subscriptions add constraint subscriptions_user_id_foreign foreign key (user_id) references users (id) on delete restrict;
  alter table holds add constraint holds_user_id_foreign foreign key (user_id) references users (id) on delete restrict;
  alter table holds add constraint holds_subscription_id_foreign foreign key (subscription_id) references subscriptions (id) on delete restrict;
  alter table chain_transactions add constraint chain_transactions_wallet_id_foreign foreign key (wallet_id) references pool_wallets (id) on delete restrict;
  alter table delegations add constraint delegations_user_id_foreign foreign key (user_id) references users (id) on delete restrict;
  alter table delegations add constraint delegations_wallet_id_foreign foreign key (wallet_id) references pool_wallets (id) on delete restrict;
`;

const APPEND_ONLY = `
  create function refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
  end $$;

  create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
    for each statement execute function refuse_change();
  create trigger delegation_events_append_only before update or delete or truncate on delegation_events
    for each statement execute function refuse_change();
`;

export class FirstTables extends Migration {
  override name = '0001-first-tables';

  override up(): void {
    this.addSql(TABLES);
    this.addSql(APPEND_ONLY);
  }
}
