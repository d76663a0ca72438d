import { Client } from 'pg';
import { utils } from 'tronweb';
import type { PanelUserLogin } from '../../support/panel-user';

const ROWS = 48;
const ADDRESSES = Array.from({ length: ROWS }, () => utils.accounts.generateAccount().address.base58);

const id = (prefix: string) => `(lpad('${prefix}', 8, '0') || '-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
const txid = `encode(sha256(convert_to('tx' || n, 'UTF8')), 'hex')`;
const rows = 'generate_series(1, 48) n where $1::uuid is not null and $2::text[] is not null';

const STATEMENTS = [
  `insert into users (id, email, name)
   select ${id('b')}, 'settlement-desk-' || n || '@payments.customer.example', 'The settlement desk of customer ' || n from ${rows}`,
  `insert into accounts (user_id, balance_sun, low_balance_sun)
   select ${id('b')}, n * 61234567891, case when n % 3 = 0 then 900000000000 else null end from ${rows}`,
  `insert into pool_wallets (id, name, address, role, state, key_source, observed_block, observed_at, delegable_sun, stake_sun, balance_sun, bandwidth)
   select ${id('a')}, 'treasury-wallet-of-the-asian-region-' || n, ($2::text[])[n], 'delegate', case when n % 5 = 0 then 'paused' else 'active' end,
          'env:NONE', 1, now() + interval '1 hour', n::bigint * 41234567000000, n::bigint * 51234567000000, 500000000 + n, 600 from ${rows}`,
  `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun, cost_sun,
     paid_by, answer, answer_code, created_at, delegated_at, reclaim_due_at, reclaimed_at, delegation_block)
   select ${id('d')}, case when n % 2 = 0 then $1::uuid else ${id('b')} end, ($2::text[])[n], '12', 780000, 60, false,
          case n % 4 when 0 then 'failed' when 1 then 'reclaimed' else 'delegated' end, ${id('a')}, 1000000, 36000000 + n,
          case n % 3 when 0 then 'subscription' else 'balance' end, case n % 4 when 0 then 'failure' else 'success' end,
          case n % 4 when 0 then 'INSUFFICIENT_ENERGY' end, now() - n * interval '3 minutes', now(), now() + n * interval '9 minutes',
          case n % 4 when 1 then now() end, n from ${rows}`,
  `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data, expiration_ms,
     ref_block_number, state)
   select ${txid}, 'delegation', 'order', ${id('d')}, ${id('a')}, ($2::text[])[n], 1, '', 1, 1, 'final' from ${rows}`,
  `insert into ledger_entries (user_id, at, kind, amount_sun, balance_sun, delegation_id, note, reference)
   select $1, now() - (48 - n) * interval '3 hours', case n % 2 when 0 then 'charge' else 'credit' end,
          case n % 2 when 0 then -36000000 else 5000000000 end, n::bigint * 1000000000, case n % 2 when 0 then ${id('d')} end,
          case n % 2 when 1 then 'invoice 2041-' || n end, case n % 2 when 1 then 'INV-2041-' || n end from ${rows}`,
  `insert into findings (kind, subject, reason, next_step, first_seen_at, last_seen_at, subject_type, subject_id, wallet_id, reason_code, parameters)
   select case n % 2 when 0 then 'hold_amount' else 'account_missing' end, 'delegation ' || ${id('d')},
          case n % 2 when 0 then '1 of 36 TRX were no longer there to take back, and the sentence goes on for a while about why'
            else 'the account is not there although the order says that it was charged' end,
          'Find out who has the key of the wallet, and acknowledge the finding once you know.', now(), now(), 'delegation', ${id('d')}::text,
          null, null, null from ${rows}`,
  `insert into webhooks (id, user_id, url, secret)
   select ${id('e')}, $1::uuid, 'https://shop.example/hooks/energy', 'x' from generate_series(1, 1) n where $2::text[] is not null`,
  `with said as (
     insert into webhook_events (body)
     select json_build_object('type', 'delegation.delegated', 'timestamp', now(), 'data', json_build_object('id', ${id('d')}))::text
       from ${rows} returning id)
   insert into webhook_deliveries (id, webhook_id, event, event_id, state, attempts, status, reason, took_ms, attempted_at, next_at, created_at)
   select gen_random_uuid(), ${id('e').replace('n::text', "'1'")}, 'delegation.delegated', said.id, case said.id % 3 when 0 then 'failed' when 1 then 'pending' else 'delivered' end,
          3, case said.id % 3 when 0 then null else 500 end, case said.id % 3 when 0 then 'timeout' end, 15000, now(),
          case said.id % 3 when 1 then now() + interval '40 minutes' end, now() - said.id * interval '5 minutes' from said`,
];

export interface FilledLists {
  readonly webhook: string;
}

/** More rows of each list than a screen has room for, with values as long as they usually are. */
export async function fillLists(databaseUrl: string, user: PanelUserLogin): Promise<FilledLists> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Foreign keys are right by construction, and no trigger has to count what never was ordered.
    await client.query('set session_replication_role = replica');
    for (const statement of STATEMENTS) await client.query(statement, [user.id, ADDRESSES]);
  } finally {
    await client.end();
  }
  return { webhook: '0000000e-0000-7000-8000-000000000001' };
}
