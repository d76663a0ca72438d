-- The whole schema. Until the first release is out this file is edited in place, and a database made from another text of it is refused:
-- its checksum is part of the migration's name (0001-schema.migration.ts). After that, each change is a migration of its own.

create function refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
  end $$;

create function refuse_removal() returns trigger language plpgsql as $$
  begin
    raise exception 'rows of % are never deleted', tg_table_name using errcode = 'restrict_violation';
  end $$;

-- Users, how they sign in, and what they did

create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  operator boolean not null default false,
  rate_limit_per_minute int,
  password_hash text,
  disabled_at timestamptz(6),
  created_at timestamptz(6) not null default now(),
  session_epoch int not null default 0,
  time_zone text,
  language text,
  sign_up_network text,
  sign_up_wide_network text,
  address_changed_at timestamptz(6),
  constraint users_email_lower_case check (email = lower(email)),
  constraint users_rate_limit_positive check (rate_limit_per_minute > 0),
  constraint users_email_unique unique (email)
);
create index users_email_prefix on users (email text_pattern_ops);
create index users_mailbox on users (regexp_replace(email, '(.)[+][^@]*@', '\1@'));
create index users_sign_up_network on users (sign_up_network) where sign_up_network is not null;
create index users_sign_up_wide_network on users (sign_up_wide_network) where sign_up_wide_network is not null;

create table invitations (
  key text primary key,
  user_id uuid constraint invitations_user_id_foreign references users (id) on delete restrict,
  expires_at timestamptz(6) not null,
  created_at timestamptz(6) not null default now()
);
create index invitations_user on invitations (user_id);

create table sign_ups (
  id uuid primary key,
  email text not null,
  name text not null,
  password_hash text not null,
  browser_key text,
  language text not null,
  network text not null,
  wide_network text,
  keys text[] not null default '{}',
  expires_at timestamptz(6),
  confirmed_at timestamptz(6),
  created_at timestamptz(6) not null default now(),
  constraint sign_ups_email_lower_case check (email = lower(email)),
  constraint sign_ups_browser_until_confirmed check ((confirmed_at is null) = (browser_key is not null)),
  constraint sign_ups_waits_or_expires check ((confirmed_at is null) = (expires_at is not null))
);
create index sign_ups_expires_at on sign_ups (expires_at) where expires_at is not null;
create index sign_ups_waiting on sign_ups (confirmed_at) where confirmed_at is not null;
create index sign_ups_mailbox on sign_ups (regexp_replace(email, '(.)[+][^@]*@', '\1@'));

create table email_changes (
  id uuid primary key,
  user_id uuid not null constraint email_changes_user_id_foreign references users (id) on delete restrict,
  email text not null,
  keys text[] not null default '{}',
  expires_at timestamptz(6) not null,
  created_at timestamptz(6) not null default now(),
  constraint email_changes_email_lower_case check (email = lower(email))
);
create index email_changes_user on email_changes (user_id);
create index email_changes_expires_at on email_changes (expires_at);

create table sessions (
  key text primary key,
  user_id uuid not null constraint sessions_user_id_foreign references users (id) on delete restrict,
  data jsonb not null,
  expires_at timestamptz(6) not null,
  created_at timestamptz(6) not null default now(),
  epoch int not null default 0,
  network text,
  browser text,
  seen_at timestamptz(6),
  password_at timestamptz(6),
  answers jsonb not null default '[]'
);
create index sessions_expires_at on sessions (expires_at);
create index sessions_user on sessions (user_id);

create table session_secret (
  id int primary key,
  secret text not null,
  constraint session_secret_single_row check (id = 1)
);

create table pending_sign_ins (
  key text primary key,
  user_id uuid not null constraint pending_sign_ins_user_id_foreign references users (id) on delete restrict,
  epoch int not null,
  first_step text not null,
  network text not null,
  expires_at timestamptz(6) not null,
  constraint pending_sign_ins_first_step check (first_step in ('password', 'link'))
);
create index pending_sign_ins_expires_at on pending_sign_ins (expires_at);
create index pending_sign_ins_user on pending_sign_ins (user_id);

create table second_factors (
  user_id uuid primary key constraint second_factors_user_id_foreign references users (id) on update cascade on delete restrict,
  secret text not null,
  last_step bigint not null,
  created_at timestamptz(6) not null default now(),
  constraint second_factors_secret_length check (length(secret) <= 1000)
);

create table recovery_codes (
  user_id uuid not null constraint recovery_codes_user_id_foreign references users (id) on delete restrict,
  code_hash text not null,
  primary key (user_id, code_hash)
);

create table known_places (
  user_id uuid not null constraint known_places_user_id_foreign references users (id) on delete restrict,
  network text not null,
  last_at timestamptz(6) not null default now(),
  primary key (user_id, network)
);
create index known_places_last_at on known_places (last_at);

create table api_tokens (
  id uuid primary key,
  user_id uuid not null constraint api_tokens_user_id_foreign references users (id) on delete restrict,
  name text not null,
  prefix text not null,
  hash bytea not null,
  permissions text[] not null,
  expires_at timestamptz(6),
  last_used_at timestamptz(6),
  revoked_at timestamptz(6),
  created_at timestamptz(6) not null default now(),
  daily_limit_sun bigint,
  max_cost_sun bigint,
  receivers text[],
  ips text[],
  constraint api_tokens_limits_not_negative check (daily_limit_sun >= 0 and max_cost_sun >= 0),
  constraint api_tokens_hash_unique unique (hash)
);
create index api_tokens_user on api_tokens (user_id, created_at);

create table token_days (
  id bigserial primary key,
  token_id uuid not null constraint token_days_token_id_foreign references api_tokens (id) on delete restrict,
  day date not null,
  used_sun bigint not null,
  constraint token_days_used_not_negative check (used_sun >= 0),
  constraint token_days_token_day unique (token_id, day)
);

create table audit_log (
  id bigserial primary key,
  at timestamptz(6) not null default clock_timestamp(),
  actor_id uuid constraint audit_log_actor_id_foreign references users (id) on delete restrict,
  address text not null,
  action text not null,
  subject text not null,
  outcome text not null check (outcome in ('begun', 'done', 'refused', 'failed')),
  before jsonb,
  after jsonb,
  service text,
  constraint audit_log_one_actor check (actor_id is null or service is null)
);
create index audit_log_actor_page on audit_log (actor_id, id);
create index audit_log_service_page on audit_log (service, id) where service is not null;
create index audit_log_subject_page on audit_log (subject, id);
create index audit_log_time on audit_log (at, id);
create trigger audit_log_append_only before delete or update or truncate on audit_log
  for each statement execute function refuse_change();

-- Money. The ledger is the record; an account's balance is its sum

create table accounts (
  user_id uuid primary key constraint accounts_user_id_foreign references users (id) on update cascade on delete restrict,
  balance_sun bigint not null default 0,
  held_sun bigint not null default 0,
  unit_price_sun bigint,
  updated_at timestamptz(6) not null default now(),
  low_balance_sun bigint,
  low_since timestamptz(6),
  low_told_at timestamptz(6),
  constraint accounts_balance_not_negative check (balance_sun >= 0),
  constraint accounts_held_within_balance check (held_sun >= 0 and held_sun <= balance_sun),
  constraint accounts_low_balance_not_negative check (low_balance_sun >= 0),
  constraint accounts_unit_price_bounds check (unit_price_sun >= 2000000 and unit_price_sun <= 2500000)
);
create trigger accounts_kept before delete or truncate on accounts
  for each statement execute function refuse_removal();

-- Of several changes in one transaction the last one counts.
create function check_account_balance() returns trigger language plpgsql as $$
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
  end $$;

-- The clock's time and the sequence's number, taken after the account's lock: the order of entries is the order of balances. A search_path
-- may put another clock before PostgreSQL's, but not into a column's default.
create function stamp_ledger_entry() returns trigger language plpgsql as $$
  begin
    if new.id is distinct from currval('ledger_entries_id_seq') then
      raise exception 'the id of a ledger entry comes by default only' using errcode = 'restrict_violation';
    end if;
    if new.at not in (now(), pg_catalog.now()) and new.at not between now() and clock_timestamp() then
      raise exception 'the time of a ledger entry comes by default only' using errcode = 'restrict_violation';
    end if;
    new.at := clock_timestamp();
    return new;
  end $$;

-- Runs at commit, when the transaction that changed the account still has its row locked: no other transaction can have an entry of this
-- account that this one does not see. Entries are read in the order of (user, id), which only one index has.
create function check_ledger_entry() returns trigger language plpgsql as $$
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
  end $$;

create table ledger_entries (
  id bigserial primary key,
  user_id uuid not null constraint ledger_entries_user_id_foreign references users (id) on delete restrict,
  at timestamptz(6) not null default now(),
  kind text not null check (kind in ('credit', 'debit', 'charge', 'deposit', 'quota', 'refund')),
  amount_sun bigint not null,
  balance_sun bigint not null,
  delegation_id uuid,
  reference text,
  note text,
  subscription_id uuid,
  constraint ledger_entries_amount_not_zero check (amount_sun <> 0),
  constraint ledger_entries_balance_not_negative check (balance_sun >= 0),
  constraint ledger_entries_quota_of_subscription check (kind <> 'quota' or subscription_id is not null),
  constraint ledger_entries_refund_by_txid check (kind <> 'refund' or (reference is not null and reference ~ '^[0-9a-f]{64}$')),
  constraint ledger_entries_sign check ((kind in ('credit', 'deposit')) = (amount_sun > 0))
);
create unique index ledger_entries_one_charge_per_delegation on ledger_entries (delegation_id) where kind = 'charge';
create unique index ledger_entries_one_per_deposit on ledger_entries (reference) where kind = 'deposit';
create unique index ledger_entries_one_refund_per_txid on ledger_entries (reference) where kind = 'refund';
create unique index ledger_entries_one_sale_per_subscription on ledger_entries (subscription_id) where kind = 'quota';
create index ledger_entries_reference on ledger_entries (reference) where reference is not null;
create unique index ledger_entries_reference_once on ledger_entries (user_id, reference) where reference is not null;
create index ledger_entries_time on ledger_entries (at, id);
create index ledger_entries_user_page on ledger_entries (user_id, id);
create index ledger_entries_user_time on ledger_entries (user_id, at, id);
create constraint trigger ledger_entries_add_up after insert on ledger_entries deferrable initially deferred
  for each row execute function check_ledger_entry();
create trigger ledger_entries_append_only before delete or update or truncate on ledger_entries
  for each statement execute function refuse_change();
create trigger ledger_entries_stamped before insert on ledger_entries
  for each row execute function stamp_ledger_entry();
create constraint trigger accounts_begin_and_add_up after insert on accounts deferrable initially deferred
  for each row execute function check_account_balance();
create constraint trigger accounts_add_up after update of balance_sun on accounts deferrable initially deferred
  for each row when (old.balance_sun <> new.balance_sun) execute function check_account_balance();

create table subscriptions (
  id uuid primary key,
  user_id uuid not null constraint subscriptions_user_id_foreign references users (id) on delete restrict,
  quota_energy bigint not null,
  used_energy bigint not null default 0,
  held_energy bigint not null default 0,
  valid_from timestamptz(6) not null default now(),
  valid_until timestamptz(6) not null,
  created_at timestamptz(6) not null default now(),
  reference text,
  price_sun bigint,
  paid_by text check (paid_by in ('balance', 'reference')),
  constraint subscriptions_price_paid check ((price_sun is null) = (paid_by is null) and (price_sun is null or price_sun > 0)),
  constraint subscriptions_quota_not_overdrawn check (used_energy >= 0 and held_energy >= 0 and used_energy + held_energy <= quota_energy)
);
create index subscriptions_created on subscriptions (created_at);
create index subscriptions_reference on subscriptions (reference) where reference is not null;
create unique index subscriptions_reference_once on subscriptions (user_id, reference) where reference is not null;
create index subscriptions_valid_until on subscriptions (valid_until);
create index subscriptions_user_valid_until on subscriptions (user_id, valid_until);
create trigger subscriptions_kept before delete or truncate on subscriptions
  for each statement execute function refuse_removal();

create table holds (
  delegation_id uuid primary key,
  user_id uuid not null constraint holds_user_id_foreign references users (id) on delete restrict,
  amount_sun bigint not null,
  subscription_id uuid constraint holds_subscription_id_foreign references subscriptions (id) on delete restrict,
  quota_energy bigint not null default 0,
  state text not null default 'held' check (state in ('held', 'taken', 'released')),
  created_at timestamptz(6) not null default now(),
  settled_at timestamptz(6),
  token_day_id bigint,
  counted_sun bigint,
  max_cost_sun bigint,
  constraint holds_amounts_not_negative check (amount_sun >= 0 and quota_energy >= 0)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index holds_open_by_user on holds (user_id, delegation_id) where state = 'held';
create index holds_settled on holds (settled_at) where settled_at is not null;
create index holds_subscription on holds (subscription_id) where subscription_id is not null;
create index holds_token_day on holds (token_day_id) where token_day_id is not null;
create trigger holds_kept before delete or truncate on holds
  for each statement execute function refuse_removal();

-- The chain that this database follows

create table chain_identity (
  id int primary key,
  genesis_block_id text not null,
  created_at timestamptz(6) not null default now(),
  final_number bigint,
  final_id text,
  final_at timestamptz(6),
  constraint chain_identity_single_row check (id = 1)
);

create table chain_faults (
  kind text primary key check (kind in ('branch_refused', 'witnesses_disagree', 'witnesses_changed', 'block_unreadable')),
  parameters jsonb not null,
  first_seen_at timestamptz(6) not null default now(),
  last_seen_at timestamptz(6) not null default now()
);

create table witness_set (
  id int primary key,
  witnesses jsonb not null,
  valid_until_ms bigint not null,
  read_at timestamptz(6) not null default now(),
  base jsonb,
  base_at timestamptz(6) not null default now(),
  offered jsonb,
  offered_at timestamptz(6),
  followed jsonb,
  named jsonb,
  version int not null default 0,
  constraint witness_set_single_row check (id = 1)
);

create table witness_changes (
  id serial primary key,
  number bigint not null,
  time_ms bigint not null,
  joined jsonb,
  gone jsonb,
  created_at timestamptz(6) not null default now()
);

create table accepted_blocks (
  number bigint primary key,
  id text not null,
  digest text not null,
  accepted_by text not null check (accepted_by in ('nodes', 'operator')),
  accepted_at timestamptz(6) not null default now()
);

create table followed_blocks (
  subscriber text primary key,
  number bigint not null,
  id text not null,
  trail text[] not null default '{}',
  moved_at timestamptz(6) not null default clock_timestamp()
);

-- The pool

create table pool_wallets (
  id uuid primary key,
  name text not null,
  address text not null,
  role text not null check (role in ('delegate', 'activate')),
  state text not null default 'active' check (state in ('active', 'paused', 'draining')),
  key_source text not null,
  permission_id int not null default 0,
  delegable_sun bigint not null default 0,
  stake_sun bigint not null default 0,
  balance_sun bigint not null default 0,
  bandwidth bigint not null default 0,
  observed_block bigint not null default -1,
  observed_at timestamptz(6),
  created_at timestamptz(6) not null default now(),
  reserved_sun bigint not null default 0,
  transactions_due bigint not null default 0,
  resumes_itself boolean not null default false,
  free_bandwidth bigint not null default 0,
  refusals int not null default 0,
  resting_until timestamptz(6),
  refused_at timestamptz(6),
  last_refusal jsonb,
  removed_at timestamptz(6),
  paused_by_reconciler boolean not null default false,
  used_energy_sun bigint not null default 0,
  unfreezing jsonb not null default '[]',
  constraint pool_wallets_removed_takes_none check (removed_at is null or state = 'draining'),
  constraint pool_wallets_reservations_not_negative check (reserved_sun >= 0 and transactions_due >= 0)
);
create unique index pool_wallets_address on pool_wallets (address) where removed_at is null;
create unique index pool_wallets_name_unique on pool_wallets (name) where removed_at is null;

create table wallet_views (
  wallet_id uuid primary key constraint wallet_views_wallet_id_foreign references pool_wallets (id) on update cascade on delete cascade,
  newest jsonb not null,
  newest_block bigint not null,
  newest_until bigint not null,
  newest_at timestamptz(6) not null,
  explained jsonb not null,
  explained_block bigint not null,
  explained_until bigint not null,
  explained_at timestamptz(6) not null,
  used_block bigint,
  first_block bigint
);

create table chain_transactions (
  id bigserial primary key,
  tx_id text not null,
  purpose text not null,
  subject_kind text not null,
  subject_id uuid not null,
  wallet_id uuid constraint chain_transactions_wallet_id_foreign references pool_wallets (id) on delete restrict,
  receiver text,
  amount_sun bigint,
  raw_data bytea not null,
  signature bytea,
  tail bytea,
  branch bytea,
  expiration_ms bigint not null,
  ref_block_number bigint not null,
  state text not null default 'saved' check (state in ('saved', 'sent', 'included', 'final', 'dead')),
  resend boolean,
  last_sent_at timestamptz(6),
  block_number bigint,
  block_id text,
  block_time_ms bigint,
  created_at timestamptz(6) not null default now(),
  constraint chain_transactions_order_fields check (subject_kind <> 'order' or (receiver is not null and amount_sun is not null
    and wallet_id is not null)),
  constraint chain_transactions_resend_by_order check (resend is not null or subject_kind = 'order')
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index chain_transactions_final_pairs on chain_transactions (wallet_id, receiver, block_number) where purpose in ('delegation',
  'reclaim') and state = 'final';
create unique index chain_transactions_one_delegation_per_order on chain_transactions (subject_id) where purpose = 'delegation';
create unique index chain_transactions_one_live_activation_per_receiver on chain_transactions (receiver) where purpose = 'activation'
  and state in ('saved', 'sent', 'included');
create unique index chain_transactions_one_live_reclaim_per_order on chain_transactions (subject_id) where purpose = 'reclaim'
  and state <> 'dead';
create unique index chain_transactions_one_open_per_subject on chain_transactions (purpose, subject_id) where subject_kind <> 'order'
  and state in ('saved', 'sent', 'included');
create index chain_transactions_open on chain_transactions (expiration_ms) where state in ('saved', 'sent', 'included');
create unique index chain_transactions_open_tx_id on chain_transactions (tx_id) where state in ('saved', 'sent', 'included');
create index chain_transactions_subject on chain_transactions (subject_id);
create index chain_transactions_tx_id on chain_transactions using hash (tx_id);
create index chain_transactions_tx_id_beginning on chain_transactions (left(tx_id, 8) text_pattern_ops);
create index chain_transactions_wallet_blocks on chain_transactions (wallet_id, block_number) where purpose <> 'delegation'
  and purpose <> 'reclaim' and state = 'final';
create trigger chain_transactions_kept before delete or truncate on chain_transactions
  for each statement execute function refuse_removal();

create table stake_care (
  wallet_id uuid primary key constraint stake_care_wallet_id_foreign references pool_wallets (id) on delete restrict,
  key_source text not null,
  permission_id int not null,
  votes jsonb not null default '[]',
  claims boolean not null default true,
  restakes boolean not null default false,
  keep_liquid_sun bigint not null,
  created_at timestamptz(6) not null default now(),
  key_faults jsonb not null default '{}',
  constraint stake_care_keeps_some check (keep_liquid_sun >= 0)
);

create table stake_readings (
  wallet_id uuid primary key constraint stake_readings_wallet_id_foreign references pool_wallets (id) on delete cascade,
  tried_at timestamptz(6) not null,
  failures int not null default 0,
  read_ms bigint,
  read_block bigint,
  power bigint not null default 0,
  idle_votes bigint not null default 0,
  reward_sun bigint not null default 0,
  ripe_sun bigint not null default 0,
  idle_since_ms bigint,
  reward_since_ms bigint,
  ripe_since_ms bigint,
  voted_for jsonb not null default '[]'
);

create table stake_witnesses (
  address text,
  period bigint,
  read_at timestamptz(6) not null,
  read_ms bigint not null,
  url text not null,
  rank int,
  keeps_percent int not null,
  votes bigint not null,
  votes_of_paid bigint not null,
  made_blocks bigint not null,
  all_blocks bigint not null,
  block_pay_sun bigint not null,
  vote_pay_sun bigint not null,
  primary key (address, period)
);

create table stake_operations (
  id uuid primary key,
  wallet_id uuid not null constraint stake_operations_wallet_id_foreign references pool_wallets (id) on delete restrict,
  kind text not null check (kind in ('vote', 'claim', 'freeze', 'unfreeze', 'withdraw', 'cancel-unfreeze')),
  resource text check (resource in ('energy', 'bandwidth')),
  amount_sun bigint,
  votes jsonb,
  occasion text,
  requested_by text not null,
  state text not null default 'planned' check (state in ('planned', 'signed', 'sent', 'refused', 'included', 'final', 'failed')),
  tx_id text,
  error text,
  claimed_until timestamptz(6),
  block_number bigint,
  final_at timestamptz(6),
  is_paid boolean not null default false,
  paid_out_sun bigint,
  restake_energy_sun bigint,
  restake_bandwidth_sun bigint,
  created_at timestamptz(6) not null default now(),
  constraint stake_operations_resource check ((resource is not null) = (kind in ('freeze', 'unfreeze'))),
  constraint stake_operations_restake check ((restake_energy_sun is null) = (restake_bandwidth_sun is null))
);
create unique index stake_operations_one_open_per_kind on stake_operations (wallet_id, kind)
  where state in ('planned', 'signed', 'sent', 'refused', 'included');
create unique index stake_operations_occasion on stake_operations (wallet_id, kind, occasion) where occasion is not null;
create index stake_operations_final on stake_operations (wallet_id, kind, block_number) where state = 'final';
create index stake_operations_wallet on stake_operations (wallet_id, created_at);
create index stake_operations_unpaid on stake_operations (created_at) where state = 'final' and not is_paid;

create table stake_rewards (
  wallet_id uuid constraint stake_rewards_wallet_id_foreign references pool_wallets (id) on delete restrict,
  day date,
  claimed_sun bigint not null,
  primary key (wallet_id, day),
  constraint stake_rewards_positive check (claimed_sun > 0)
);

-- What customers pay in

create table deposit_addresses (
  address text primary key,
  hex text not null,
  account text not null,
  number int not null,
  user_id uuid constraint deposit_addresses_user_id_foreign references users (id) on delete restrict,
  created_at timestamptz(6) not null default clock_timestamp(),
  read_at timestamptz(6),
  unexplained_sun bigint not null default 0,
  unexplained_usdt bigint not null default 0,
  unexplained_since timestamptz(6),
  constraint deposit_addresses_number check (number >= 0)
);
create unique index deposit_addresses_hex on deposit_addresses (hex);
create unique index deposit_addresses_number_once on deposit_addresses (account, number);
create unique index deposit_addresses_one_per_user on deposit_addresses (user_id);
create index deposit_addresses_reading on deposit_addresses (read_at nulls first, address);

create table deposits (
  id uuid primary key,
  user_id uuid not null constraint deposits_user_id_foreign references users (id) on delete restrict,
  address text not null constraint deposits_address_foreign references deposit_addresses (address) on delete restrict,
  asset text not null check (asset in ('TRX', 'USDT')),
  amount bigint not null,
  txid text,
  index int,
  state text not null check (state in ('seen', 'credited', 'too_small', 'waiting', 'dropped')),
  is_final boolean not null default false,
  block_number bigint,
  block_id text,
  block_at timestamptz(3),
  rate_sun bigint,
  credit_sun bigint,
  waits_for text check (waits_for in ('rate', 'operator')),
  note text,
  seen_at timestamptz(6) not null default clock_timestamp(),
  credited_at timestamptz(6),
  constraint deposits_amount_positive check (amount > 0),
  constraint deposits_credit_positive check (credit_sun > 0),
  constraint deposits_credited check ((state = 'credited') = (credited_at is not null)),
  constraint deposits_credited_is_final check (is_final or state in ('seen', 'dropped')),
  constraint deposits_credited_has_amount check (state <> 'credited' or credit_sun is not null),
  constraint deposits_transfer check ((txid is null) = (index is null)),
  constraint deposits_waits check ((state = 'waiting') = (waits_for is not null))
);
create index deposits_address on deposits (address);
create index deposits_due on deposits (block_number, id) where state = 'seen' and is_final;
create unique index deposits_once on deposits (txid, index);
create index deposits_undecided on deposits (block_number) where state = 'seen' and not is_final;
create index deposits_user_page on deposits (user_id, id);
create index deposits_waiting on deposits (id) where state = 'waiting';
create trigger deposits_kept before delete or truncate on deposits
  for each statement execute function refuse_removal();

create table left_out_payments (
  txid text,
  index int,
  address text not null constraint left_out_payments_address_foreign references deposit_addresses (address) on delete restrict,
  asset text not null check (asset in ('TRX', 'USDT')),
  amount bigint not null,
  block_number bigint not null,
  found_at timestamptz(6) not null default clock_timestamp(),
  primary key (txid, index),
  constraint left_out_payments_positive check (amount > 0)
);
create index left_out_payments_block on left_out_payments (block_number);

create table deposit_sweeps (
  id uuid primary key,
  address text not null constraint deposit_sweeps_address_foreign references deposit_addresses (address) on delete restrict,
  asset text not null check (asset in ('TRX', 'USDT')),
  amount bigint not null,
  state text not null default 'planned' check (state in ('planned', 'signed', 'sent', 'refused', 'included', 'final', 'expired', 'failed')),
  tx_id text not null,
  raw_data bytea not null,
  bytes int not null,
  signature bytea,
  expiration_ms bigint not null,
  ref_block_number bigint not null,
  error text,
  waits_until timestamptz(6),
  block_number bigint,
  energy_order_id uuid,
  created_at timestamptz(6) not null default clock_timestamp(),
  constraint deposit_sweeps_amount_positive check (amount > 0),
  constraint deposit_sweeps_signed check (signature is not null or state in ('planned', 'expired'))
);
create index deposit_sweeps_address on deposit_sweeps (address, state);
create index deposit_sweeps_due on deposit_sweeps (waits_until) where state = 'signed';
create index deposit_sweeps_energy on deposit_sweeps (energy_order_id) where energy_order_id is not null;
create index deposit_sweeps_landed on deposit_sweeps (block_number) where state = 'included' and block_number is not null;
create unique index deposit_sweeps_one_open_per_address on deposit_sweeps (address, asset)
  where state in ('planned', 'signed', 'sent', 'refused', 'included');
create index deposit_sweeps_unsent on deposit_sweeps (expiration_ms) where state in ('planned', 'signed');
create trigger deposit_sweeps_kept before delete or truncate on deposit_sweeps
  for each statement execute function refuse_removal();

create table deposit_rates (
  id bigserial primary key,
  since timestamptz(6) not null default clock_timestamp(),
  sun_per_usdt bigint,
  constraint deposit_rates_positive check (sun_per_usdt > 0)
);
create index deposit_rates_since on deposit_rates (since, id);

create table receipt_witnesses (
  id serial primary key,
  witnesses jsonb not null,
  digest bytea not null,
  constraint receipt_witnesses_digest unique (digest)
);

create table receipt_headers (
  number bigint primary key,
  header bytea not null,
  signature bytea not null,
  above smallint,
  witnesses_id int constraint receipt_headers_witnesses_id_foreign references receipt_witnesses (id) on delete restrict,
  constraint receipt_headers_whole check ((above is null) = (witnesses_id is null))
);

-- Orders

create table delegations (
  id uuid primary key,
  user_id uuid not null constraint delegations_user_id_foreign references users (id) on delete restrict,
  receiver text not null,
  transactions text not null,
  energy bigint not null,
  rental_minutes int not null,
  activate boolean not null,
  idempotency_key text,
  state text not null,
  wallet_id uuid not null constraint delegations_wallet_id_foreign references pool_wallets (id) on delete restrict,
  stake_sun bigint not null,
  cost_sun bigint not null,
  paid_by text not null check (paid_by in ('subscription', 'balance')),
  activates boolean not null default false,
  answer text not null default 'none' check (answer in ('none', 'success', 'failure')),
  answer_code text,
  answered_at timestamptz(6),
  delegation_block bigint,
  delegated_at timestamptz(6),
  reclaim_due_at timestamptz(6),
  reclaimed_at timestamptz(6),
  shortage_sun bigint not null default 0,
  epoch int not null default 0,
  claimed_until timestamptz(6),
  attempts int not null default 0,
  next_attempt_at timestamptz(6),
  stake_missing boolean not null default false,
  stake_doubted boolean not null default false,
  last_error text,
  created_at timestamptz(6) not null default now(),
  claim_ms int,
  reclaim_after_ms bigint,
  constraint delegations_amounts check (energy > 0 and stake_sun > 0 and cost_sun >= 0 and shortage_sun >= 0),
  constraint delegations_doubted_is_missing check (stake_missing or not stake_doubted),
  constraint delegations_state_check check (state in ('pending', 'activating', 'sent', 'included', 'delegated', 'reclaiming', 'reclaimed',
    'failed', 'taking_back', 'taken_back'))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index delegations_live_by_wallet on delegations (wallet_id, state, stake_sun) where state in ('pending', 'activating', 'sent',
  'included', 'delegated', 'reclaiming', 'taking_back');
create index delegations_missing_stake on delegations (wallet_id, receiver)
  where state in ('delegated', 'reclaiming', 'taking_back') and stake_missing;
create index delegations_page on delegations (created_at, id);
create index delegations_receiver on delegations (receiver, created_at);
create index delegations_receiver_beginning on delegations (left(receiver, 8) text_pattern_ops);
create index delegations_reclaim_due on delegations (reclaim_due_at) where state in ('delegated', 'reclaiming', 'taking_back');
create index delegations_taken_back on delegations (reclaimed_at) where state in ('reclaimed', 'taken_back');
create index delegations_uncommon_state on delegations (state, created_at, id) where state <> 'reclaimed';
create index delegations_unpaid_activations on delegations (user_id) where activates and state in ('activating', 'pending', 'sent',
  'included', 'failed', 'taking_back', 'taken_back');
create index delegations_user_page on delegations (user_id, created_at, id);
create index delegations_user_reclaimed on delegations (user_id, created_at, id) where state = 'reclaimed';
create index delegations_user_state on delegations (user_id, state, created_at, id) where state <> 'reclaimed';
create index delegations_wallet_block on delegations (wallet_id, delegation_block, stake_sun) where delegation_block is not null;
create trigger delegations_kept before delete or truncate on delegations
  for each statement execute function refuse_removal();

-- An order is found by its user and idempotency key for ever. The primary key refuses a second order of the same key.
create function order_keys_kept() returns trigger language plpgsql as $$
  begin
    insert into order_keys (key, delegation_id)
    select sha256(convert_to(user_id::text || ' ' || idempotency_key, 'UTF8')), id from added where idempotency_key is not null;
    return null;
  end $$;

create table order_keys (
  key bytea primary key,
  delegation_id uuid not null,
  constraint order_keys_hashes check (length(key) = 32)
);
create trigger order_keys_append_only before delete or update or truncate on order_keys
  for each statement execute function refuse_change();
create trigger delegations_keys_kept after insert on delegations referencing new table as added
  for each statement execute function order_keys_kept();

create table delegation_events (
  id bigserial primary key,
  delegation_id uuid not null,
  at timestamptz(6) not null default clock_timestamp(),
  kind text not null,
  detail jsonb not null
);
create index delegation_events_order on delegation_events (delegation_id);
create index delegation_events_request on delegation_events ((detail ->> 'request_id')) where kind = 'ordered';
create trigger delegation_events_append_only before delete or update or truncate on delegation_events
  for each statement execute function refuse_change();

create table order_switch (
  id int primary key,
  paused_at timestamptz(6),
  reason text,
  constraint order_switch_known check (id in (1, 2))
);

create table receipt_shares (
  key text primary key,
  delegation_id uuid not null constraint receipt_shares_delegation_id_unique unique
    constraint receipt_shares_delegation_id_foreign references delegations (id) on delete restrict,
  created_at timestamptz(6) not null
);

create table waived_activations (
  delegation_id uuid primary key,
  user_id uuid not null,
  head_time_ms bigint not null
);
create index waived_activations_user on waived_activations (user_id, head_time_ms);

create table refused_attempts (
  id bigserial primary key,
  user_id uuid not null constraint refused_attempts_user_id_foreign references users (id) on delete restrict,
  token_id uuid constraint refused_attempts_token_id_foreign references api_tokens (id) on delete restrict,
  first_at timestamptz(6) not null,
  last_at timestamptz(6) not null,
  times bigint not null,
  code text not null,
  fields text[],
  receiver text,
  amount text,
  request_id text,
  constraint refused_attempts_lengths check (length(receiver) <= 34 and length(amount) <= 30 and length(request_id) <= 128 and times > 0)
);
create index refused_attempts_age on refused_attempts (last_at);
create index refused_attempts_request on refused_attempts (request_id) where request_id is not null;
create index refused_attempts_user_page on refused_attempts (user_id, id);

create table refused_attempt_days (
  id bigserial primary key,
  day date not null,
  user_id uuid not null constraint refused_attempt_days_user_id_foreign references users (id) on delete restrict,
  code text not null,
  attempts bigint not null,
  constraint refused_attempt_days_positive check (attempts > 0),
  constraint refused_attempt_days_day_user_code unique (day, user_id, code)
);
create index refused_attempt_days_user on refused_attempt_days (user_id, day);

-- Orders summed up for reports

create table order_days (
  id bigserial primary key,
  day date not null,
  user_id uuid not null constraint order_days_user_id_foreign references users (id) on delete restrict,
  paid_by text not null check (paid_by in ('subscription', 'balance')),
  orders bigint not null,
  succeeded bigint not null,
  failed bigint not null,
  charged_sun bigint not null,
  energy bigint not null,
  landed bigint not null,
  activations bigint not null,
  activated_sun bigint not null,
  constraint order_days_day_user_payer unique (day, user_id, paid_by)
);
create index order_days_user on order_days (user_id, day);

create table closed_order_days (
  day date primary key,
  closed_at timestamptz(6) not null default now()
);

create table late_orders (
  id uuid primary key,
  day date not null
);

create table service_days (
  day date primary key,
  orders bigint not null default 0,
  failed bigint not null default 0,
  refused bigint not null default 0,
  constraint service_days_counts check (orders >= failed and failed >= 0 and refused >= 0)
);

create table inclusion_days (
  day date not null,
  bucket int not null,
  orders bigint not null,
  primary key (day, bucket)
);

create table outages (
  id bigserial primary key,
  cause text not null,
  begun_at timestamptz(6) not null,
  seen_at timestamptz(6) not null,
  constraint outages_cause_check check (cause in ('down', 'energy', 'chain', 'restored'))
);

create table service_beat (
  id int primary key,
  seen_at timestamptz(6) not null,
  constraint service_beat_single_row check (id = 1)
);

create table wallet_days (
  day date not null,
  wallet_id uuid not null constraint wallet_days_wallet_id_foreign references pool_wallets (id) on delete restrict,
  staked_sun bigint not null,
  orders bigint not null,
  charged_sun bigint not null,
  paid_energy bigint not null,
  quota_energy bigint not null,
  sold_sun bigint not null,
  lent_sun bigint not null,
  primary key (day, wallet_id)
);

create table demand_hours (
  at timestamptz(6) primary key,
  orders bigint not null,
  energy bigint not null
);

create table burned_days (
  id bigserial primary key,
  day date not null,
  wallet_id uuid not null constraint burned_days_wallet_id_foreign references pool_wallets (id) on delete restrict,
  transactions bigint not null,
  burning bigint not null,
  burned_sun bigint not null,
  unread bigint not null,
  constraint burned_days_amounts check (transactions >= burning and burning >= 0 and burned_sun >= 0 and unread >= 0),
  constraint burned_days_day_wallet unique (day, wallet_id)
);

create table burned_mark (
  id int primary key,
  transaction_id bigint not null,
  claimed_until timestamptz(6),
  constraint burned_mark_single_row check (id = 1)
);

create table order_months (
  id bigserial primary key,
  month date not null,
  user_id uuid not null constraint order_months_user_id_foreign references users (id) on delete restrict,
  paid_by text not null check (paid_by in ('subscription', 'balance')),
  orders bigint not null,
  succeeded bigint not null,
  failed bigint not null,
  charged_sun bigint not null,
  energy bigint not null,
  landed bigint not null,
  activations bigint not null,
  activated_sun bigint not null,
  constraint order_months_month_user_payer unique (month, user_id, paid_by)
);

-- Sorted, so that two transactions that close days never wait for each other in turns. An event has only some of the tables of changed rows,
-- so the statement names those of its own.
create function sum_order_days() returns trigger language plpgsql as $$
  declare
    changed text := case tg_op
      when 'INSERT' then 'select 1 as sign, come.* from come'
      when 'DELETE' then 'select -1 as sign, gone.* from gone'
      else 'select 1 as sign, come.* from come union all select -1, gone.* from gone' end;
    sums text := 'sum(sign * orders), sum(sign * succeeded), sum(sign * failed), sum(sign * charged_sun), sum(sign * energy),
      sum(sign * landed), sum(sign * activations), sum(sign * activated_sun)';
  begin
    execute format('
      insert into order_months as m
        (month, user_id, paid_by, orders, succeeded, failed, charged_sun, energy, landed, activations, activated_sun)
      select date_trunc(''month'', day::timestamp)::date, user_id, paid_by, %s from (%s) changed group by 1, 2, 3 order by 1, 2, 3
      on conflict (month, user_id, paid_by) do update set orders = m.orders + excluded.orders,
        succeeded = m.succeeded + excluded.succeeded, failed = m.failed + excluded.failed,
        charged_sun = m.charged_sun + excluded.charged_sun, energy = m.energy + excluded.energy,
        landed = m.landed + excluded.landed, activations = m.activations + excluded.activations,
        activated_sun = m.activated_sun + excluded.activated_sun', sums, changed);
    execute format('
      insert into order_day_totals as t
        (day, paid_by, orders, succeeded, failed, charged_sun, energy, landed, activations, activated_sun)
      select day, paid_by, %s from (%s) changed group by 1, 2 order by 1, 2
      on conflict (day, paid_by) do update set orders = t.orders + excluded.orders,
        succeeded = t.succeeded + excluded.succeeded, failed = t.failed + excluded.failed,
        charged_sun = t.charged_sun + excluded.charged_sun, energy = t.energy + excluded.energy,
        landed = t.landed + excluded.landed, activations = t.activations + excluded.activations,
        activated_sun = t.activated_sun + excluded.activated_sun', sums, changed);
    return null;
  end $$;

create table order_day_totals (
  id bigserial primary key,
  day date not null,
  paid_by text not null check (paid_by in ('subscription', 'balance')),
  orders bigint not null,
  succeeded bigint not null,
  failed bigint not null,
  charged_sun bigint not null,
  energy bigint not null,
  landed bigint not null,
  activations bigint not null,
  activated_sun bigint not null,
  constraint order_day_totals_day_payer unique (day, paid_by)
);
create trigger order_days_summed_at_insert after insert on order_days referencing new table as come
  for each statement execute function sum_order_days();
create trigger order_days_summed_at_update after update on order_days referencing old table as gone new table as come
  for each statement execute function sum_order_days();
create trigger order_days_summed_at_delete after delete on order_days referencing old table as gone
  for each statement execute function sum_order_days();

-- Findings, and the reconciler that makes them

create table findings (
  id bigserial primary key,
  kind text not null,
  subject text not null,
  reason text not null,
  next_step text not null,
  action text,
  first_seen_at timestamptz(6) not null default now(),
  last_seen_at timestamptz(6) not null default now(),
  resolved_at timestamptz(6),
  amount_sun bigint,
  acknowledged_at timestamptz(6),
  note text,
  subject_type text,
  subject_id text,
  wallet_id uuid constraint findings_wallet_id_foreign references pool_wallets (id) on delete set null,
  receiver text,
  reason_code text,
  parameters jsonb,
  action_code text,
  constraint findings_acknowledged_is_over check (acknowledged_at is null or (resolved_at is not null and note is not null
    and amount_sun is not null))
);
create index findings_acknowledged on findings (subject_type, subject_id) where acknowledged_at is not null;
create index findings_of_transactions on findings (wallet_id, subject_id) where subject_type = 'wallet_transaction';
create unique index findings_one_open_per_subject on findings (kind, subject) where resolved_at is null;
create unique index findings_one_per_act on findings (kind, subject) where kind = 'wallet_act';
create index findings_open_kind on findings (kind, wallet_id) where resolved_at is null;
create index findings_open_page on findings (id) where resolved_at is null;
create index findings_page on findings (first_seen_at, id);

create table unexplained_stakes (
  wallet_id uuid not null constraint unexplained_stakes_wallet_id_foreign references pool_wallets (id) on delete cascade,
  receiver text not null,
  foreign_sun bigint not null,
  missing_sun bigint not null,
  primary key (wallet_id, receiver)
);

create table reconcile_mark (
  id int primary key,
  events_up_to bigint not null,
  entries_up_to bigint not null,
  whole_at timestamptz(6) not null,
  succeeded_at timestamptz(6),
  constraint reconcile_mark_single_row check (id = 1)
);

create table whole_check (
  id int primary key,
  run bigint not null,
  asked_by_id uuid constraint whole_check_asked_by_id_foreign references users (id) on delete restrict,
  begun_at timestamptz(6) not null,
  claimed_until timestamptz(6) not null,
  ended_at timestamptz(6),
  outcome text check (outcome in ('done', 'unreachable', 'failed')),
  result jsonb,
  constraint whole_check_single_row check (id = 1)
);

create table job_runs (
  name text primary key,
  ran_at timestamptz(6) not null
);

create table instance_terms (
  id uuid primary key,
  host text not null,
  terms jsonb not null,
  seen_at timestamptz(6) not null default clock_timestamp(),
  setup jsonb not null default '{}'
);

-- Webhooks and notices

create table webhooks (
  id uuid primary key,
  user_id uuid not null constraint webhooks_user_id_foreign references users (id) on delete restrict,
  url text not null,
  events text[],
  state text not null default 'active' check (state in ('active', 'disabled', 'removed')),
  disabled_reason text check (disabled_reason in ('asked', 'gone', 'failing')),
  disabled_at timestamptz(6),
  secret text not null,
  previous_secrets jsonb,
  failing_since timestamptz(6),
  created_at timestamptz(6) not null default now(),
  constraint webhooks_lengths check (length(url) <= 2048 and length(secret) <= 1000),
  constraint webhooks_reason_of_disabled check ((state = 'disabled') = (disabled_reason is not null))
);
create index webhooks_failing on webhooks (failing_since) where state = 'active' and failing_since is not null;
create index webhooks_removed on webhooks (id) where state = 'removed';
create index webhooks_user on webhooks (user_id, created_at);

create table webhook_events (
  id bigserial primary key,
  body text not null,
  created_at timestamptz(6) not null default clock_timestamp()
);
create index webhook_events_age on webhook_events (created_at);

-- An account that falls below its threshold writes the event in the same transaction, at most one in ten minutes.
create function note_low_balance() returns trigger language plpgsql as $$
  declare
    available_sun bigint := new.balance_sun - new.held_sun;
    pause interval := interval '10 minutes';
    at timestamptz := clock_timestamp();
    tell_at timestamptz := at;
    event bigint;
  begin
    if new.low_balance_sun is null or available_sun > new.low_balance_sun then
      new.low_since := null;
    elsif available_sun < new.low_balance_sun and new.low_since is null then
      new.low_since := at;
      if new.low_told_at > at and new.low_told_at <= at + pause then
        return new;
      elsif new.low_told_at > at - pause and new.low_told_at <= at then
        tell_at := new.low_told_at + pause;
      end if;
      insert into webhook_events (body)
      select json_build_object(
               'type', 'balance.low',
               'timestamp', to_char(new.low_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
               'data', json_build_object(
                 'available', trim_scale(available_sun * 0.000001),
                 'threshold', trim_scale(new.low_balance_sun * 0.000001)
               )
             )::text
       where exists (select from webhooks w where w.user_id = new.user_id and w.state = 'active'
                                              and (w.events is null or 'balance.low' = any(w.events)))
      returning id into event;
      if event is not null then
        insert into webhook_deliveries (id, webhook_id, event, event_id, next_at, limited)
        select gen_random_uuid(), w.id, 'balance.low', event, tell_at, true
          from webhooks w
         where w.user_id = new.user_id and w.state = 'active' and (w.events is null or 'balance.low' = any(w.events));
        new.low_told_at := tell_at;
      end if;
    end if;
    return new;
  end $$;

-- An account that begins below its threshold has not fallen below it: there is no event until it was above.
create function note_low_beginning() returns trigger language plpgsql as $$
  begin
    new.low_since := 'epoch';
    return new;
  end $$;

create table webhook_deliveries (
  id uuid primary key,
  webhook_id uuid not null constraint webhook_deliveries_webhook_id_foreign references webhooks (id) on delete restrict,
  event text not null,
  event_id bigint not null constraint webhook_deliveries_event_id_foreign references webhook_events (id) on delete restrict,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts int not null default 0,
  step int not null default 0,
  status int,
  reason text check (reason in ('timeout', 'unreachable', 'not_allowed')),
  took_ms int,
  attempted_at timestamptz(6),
  next_at timestamptz(6),
  epoch int not null default 0,
  claimed_until timestamptz(6),
  created_at timestamptz(6) not null default clock_timestamp(),
  limited boolean not null default false,
  constraint webhook_deliveries_event_check check (event in ('delegation.included', 'delegation.delegated', 'delegation.failed',
    'delegation.reclaimed', 'deposit.seen', 'deposit.credited', 'deposit.waiting', 'balance.low', 'webhook.test')),
  constraint webhook_deliveries_next check ((state = 'pending') = (next_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, limited, next_at) where state = 'pending';
create index webhook_deliveries_ended on webhook_deliveries (created_at) where state <> 'pending';
create index webhook_deliveries_event on webhook_deliveries (event_id);
create index webhook_deliveries_failed on webhook_deliveries (webhook_id, created_at, id) where state = 'failed';
create index webhook_deliveries_page on webhook_deliveries (webhook_id, created_at, id);
create trigger accounts_low_balance before update of balance_sun, held_sun, low_balance_sun on accounts
  for each row when (new.low_balance_sun is not null or old.low_balance_sun is not null) execute function note_low_balance();
create trigger accounts_low_beginning before insert on accounts
  for each row when (new.balance_sun - new.held_sun < new.low_balance_sun) execute function note_low_beginning();

create table notice_choices (
  channel text primary key check (channel in ('email', 'telegram', 'webhook', 'customers')),
  kinds text[] not null
);

create table notice_marks (
  kind text not null,
  thing text not null,
  begun_at timestamptz(6) not null,
  noticed_at timestamptz(6) not null,
  seen_at timestamptz(6) not null,
  noticed_by uuid not null,
  reminds boolean not null,
  primary key (kind, thing)
);
create index notice_marks_seen_at on notice_marks (seen_at);

create table notice_deliveries (
  id uuid primary key,
  channel text not null check (channel in ('email', 'telegram', 'webhook', 'customers')),
  user_id uuid constraint notice_deliveries_user_id_foreign references users (id) on delete restrict,
  items jsonb not null,
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed')),
  attempts int not null default 0,
  error text,
  next_at timestamptz(6),
  epoch int not null default 0,
  claimed_until timestamptz(6),
  created_at timestamptz(6) not null default clock_timestamp(),
  constraint notice_deliveries_next check ((state = 'pending') = (next_at is not null)),
  constraint notice_deliveries_recipient check ((channel = 'customers') = (user_id is not null))
);
create index notice_deliveries_created_at on notice_deliveries (created_at);
create index notice_deliveries_pending on notice_deliveries (next_at) where state = 'pending';
create index notice_deliveries_user on notice_deliveries (user_id) where user_id is not null;

create table mails (
  id uuid primary key,
  kind text not null,
  address text not null,
  network text,
  wide_network text,
  language text,
  facts jsonb not null,
  link_for text,
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed', 'undeliverable', 'void')),
  attempts int not null default 0,
  error text,
  next_at timestamptz(6),
  epoch int not null default 0,
  claimed_until timestamptz(6),
  created_at timestamptz(6) not null default clock_timestamp(),
  ended_at timestamptz(6),
  constraint mails_end check ((state = 'pending') = (ended_at is null)),
  constraint mails_next check ((state = 'pending') = (next_at is not null))
);
create index mails_asked on mails (kind, created_at) where network is not null;
create index mails_created_at on mails (created_at);
create index mails_mailbox on mails (regexp_replace(address, '(.)[+][^@]*@', '\1@'), created_at);
create index mails_network on mails (network, created_at) where network is not null;
create index mails_pending on mails (next_at) where state = 'pending';
create index mails_wide_network on mails (wide_network, created_at) where wide_network is not null;

-- Which database this is, and what was compared with the chain after a restore

create table database_identity (
  id int primary key,
  system_identifier bigint not null,
  database_oid bigint not null,
  data_directory text,
  table_oid bigint,
  timeline text,
  paused_timeline text,
  compared_block bigint,
  compared_from timestamptz(6),
  left_out_accounts text[] not null default '{}',
  constraint database_identity_single_row check (id = 1)
);

create table compared_pairs (
  wallet_id uuid not null constraint compared_pairs_wallet_id_foreign references pool_wallets (id) on delete cascade,
  receiver text not null,
  compared_block bigint not null,
  pending_tx_id text,
  primary key (wallet_id, receiver)
);

-- Calls of the last minutes, for rate limits that all instances share. Unlogged: a crash forgets them

create unlogged table rate_limit_windows (
  key text primary key,
  calls int not null,
  ends_at timestamptz(6) not null
);
create index rate_limit_windows_ends_at on rate_limit_windows (ends_at);

insert into session_secret (id, secret) values (1, gen_random_uuid()::text || gen_random_uuid()::text);
insert into order_switch (id) values (1), (2);
