import { type Client, escapeIdentifier } from 'pg';

/** Rows that never change once they are written, least of all by the service. */
const ADD = ['select', 'insert'];
/** Rows that the service changes and never deletes: no money, no order, nothing that was signed. */
const CHANGE = [...ADD, 'update'];
/** Rows whose time is over some day. */
const PASSING = [...CHANGE, 'delete'];

/** Every table, with all that the service may do with its rows. */
export const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  accepted_blocks: CHANGE,
  accounts: CHANGE,
  api_tokens: CHANGE,
  audit_log: ADD,
  burned_days: CHANGE,
  burned_mark: CHANGE,
  chain_faults: PASSING,
  chain_identity: CHANGE,
  chain_transactions: CHANGE,
  closed_order_days: CHANGE,
  compared_pairs: CHANGE,
  database_identity: CHANGE,
  delegation_events: ADD,
  delegations: CHANGE,
  demand_hours: CHANGE,
  deposit_addresses: CHANGE,
  deposit_rates: ADD,
  deposit_sweeps: CHANGE,
  deposits: CHANGE,
  email_changes: PASSING,
  findings: CHANGE,
  followed_blocks: CHANGE,
  holds: CHANGE,
  inclusion_days: CHANGE,
  instance_terms: PASSING,
  invitations: PASSING,
  job_runs: CHANGE,
  known_places: PASSING,
  late_orders: PASSING,
  ledger_entries: ADD,
  left_out_payments: PASSING,
  mails: PASSING,
  notice_choices: CHANGE,
  notice_deliveries: PASSING,
  notice_marks: PASSING,
  order_day_totals: CHANGE,
  order_days: CHANGE,
  order_keys: ADD,
  order_months: CHANGE,
  order_switch: CHANGE,
  outages: PASSING,
  pending_sign_ins: PASSING,
  pool_wallets: CHANGE,
  rate_limit_windows: PASSING,
  receipt_headers: CHANGE,
  receipt_shares: PASSING,
  receipt_witnesses: CHANGE,
  reconcile_mark: CHANGE,
  recovery_codes: PASSING,
  refused_attempt_days: PASSING,
  refused_attempts: PASSING,
  second_factors: PASSING,
  service_beat: CHANGE,
  service_days: CHANGE,
  session_secret: CHANGE,
  sessions: PASSING,
  sign_ups: PASSING,
  stake_care: PASSING,
  stake_operations: CHANGE,
  stake_readings: PASSING,
  stake_rewards: CHANGE,
  stake_witnesses: PASSING,
  subscriptions: CHANGE,
  token_days: CHANGE,
  unexplained_stakes: PASSING,
  users: CHANGE,
  waived_activations: CHANGE,
  wallet_days: CHANGE,
  wallet_views: CHANGE,
  webhook_deliveries: PASSING,
  webhook_events: PASSING,
  webhooks: PASSING,
  whole_check: CHANGE,
  witness_changes: CHANGE,
  witness_set: CHANGE,
};

/** Lets the application's role work with rows, and with rows only. Runs as the role that owns the tables. */
export async function grantToApplication(client: Client, applicationRole: string): Promise<void> {
  const role = escapeIdentifier(applicationRole);
  const { rows } = await client.query<{ schema: string }>('select current_schema() as schema');
  await client.query(`grant usage on schema ${escapeIdentifier(rows[0]!.schema)} to ${role}`);
  for (const rights of [ADD, CHANGE, PASSING]) {
    const names = Object.keys(RIGHTS)
      .filter((table) => RIGHTS[table] === rights)
      .join(', ');
    await client.query(`grant ${rights.join(', ')} on ${names} to ${role}`);
    // Somebody may have granted more.
    const others = PASSING.filter((right) => !rights.includes(right));
    if (others.length > 0) await client.query(`revoke ${others.join(', ')} on ${names} from ${role}`);
  }
  await client.query(`grant select on mikro_orm_migrations to ${role}`);
  for (const sequence of await findSequences(client)) {
    await client.query(`grant usage on sequence ${sequence} to ${role}`);
  }
}

async function findSequences(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ sequence: string }>(
    `select sequence.oid::regclass::text as sequence
       from pg_class sequence
       join pg_depend owned on owned.objid = sequence.oid and owned.deptype = 'a'
      where sequence.relkind = 'S' and owned.refobjid = any($1::regclass[])`,
    [Object.keys(RIGHTS)],
  );
  return rows.map((row) => row.sequence);
}
