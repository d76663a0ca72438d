import { shortTrx, groupDigits } from '../../src/panel/layout/values';
import { trxLiteral } from '../../src/common/money/sun';
import { insertSubscription } from '../support/factories';
import type { OrderWorld, TokenCaller } from '../support/order-world';
import type { Ids } from './route-world';

/** Tables of which nothing is shown that is one user's alone: hashes, sealed secrets, and what operators and reports are counted by. */
export const SHOWN_NOWHERE = [
  'email_changes',
  'invitations',
  'known_places',
  'notice_deliveries',
  'order_days',
  'order_months',
  'pending_sign_ins',
  'recovery_codes',
  'second_factors',
  'waived_activations',
];

const MORE = 'fffffff0-0000-7000-8000-000000000001';
const BALANCE_THRESHOLD_SUN = 987_654n;
// Nine digits: fewer turn up by chance in the random tokens of a page.
const TRANSACTIONS = 732_190_846;
const ATTEMPTS = 918_273n;
/** Keys of two sessions: one that forms may ask to end, and one that no attacker has heard of. */
export const SESSIONS = { asked: 'a'.repeat(43), silent: `unheard-of-${'b'.repeat(32)}` };

/** One row at least in each table of users, with what shows of it; no attacker has sent that. */
export async function markVictim(world: OrderWorld, caller: TokenCaller, ids: Ids, url: string) {
  const { id } = caller;
  const set = async (text: string, ...values: unknown[]) =>
    expect((await world.query(`${text} returning 1`, values)).length).toBeGreaterThan(0);
  const copy = (table: string, key: string, changes: object) =>
    set(
      `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(r) || $2::jsonb)).* from ${table} r where ${key} = $1`,
      ids.order,
      JSON.stringify(changes),
    );
  const [more, refused] = [await world.receiver(), await world.receiver()];
  await set(`update users set name = 'Vera Unmistakable' where id = $1`, id);
  await set(`update accounts set low_balance_sun = $2 where user_id = $1`, id, BALANCE_THRESHOLD_SUN);
  await set(`update api_tokens set name = 'token of Vera' where id = $1`, ids.token);
  await set(
    `with account as (
       update accounts set balance_sun = balance_sun + 1,
              held_sun = held_sun + (select amount_sun from holds where delegation_id = $2) where user_id = $1
       returning user_id, balance_sun)
     insert into ledger_entries (user_id, kind, amount_sun, balance_sun, note, reference)
     select user_id, 'credit', 1, balance_sun, 'note of Vera', 'reference of Vera' from account`,
    id,
    ids.order,
  );
  await set(`update webhooks set url = $2 where id = $1`, ids.webhook, url);
  await insertSubscription(world.app.orm, id, TRANSACTIONS, 3_000);
  const open = { state: 'pending', answer: 'none', answered_at: null, delegated_at: null, reclaim_due_at: null };
  const uncounted = { token_day_id: null, counted_sun: null };
  await copy('delegations', 'id', { ...open, id: MORE, receiver: more, idempotency_key: null });
  await copy('holds', 'delegation_id', { ...uncounted, delegation_id: MORE, state: 'held', settled_at: null });
  await set(
    `insert into refused_attempts (user_id, token_id, first_at, last_at, times, code, receiver, request_id)
     values ($1, $2, now(), now(), 1, 'INSUFFICIENT_BALANCE', $3, 'request-of-Vera')`,
    id,
    ids.token,
    refused,
  );
  await set(
    `insert into refused_attempt_days (day, user_id, code, attempts) values (current_date, $1, 'INSUFFICIENT_BALANCE', $2)`,
    id,
    ATTEMPTS,
  );
  for (const key of Object.values(SESSIONS))
    await set(
      `insert into sessions (key, user_id, data, expires_at, epoch, network, browser, seen_at)
       select $1, id, '{}', now() + interval '6 days', session_epoch, '198.18.77.0/24', 'none', now() + interval '1 day'
         from users where id = $2`,
      key,
      id,
    );
  const [account] = await world.query('select balance_sun from accounts where user_id = $1', [id]);
  const balance = account!['balance_sun'] as bigint;
  const order = (await world.show(ids.order!))!;
  const [deposit] = await world.query('select address, txid from deposits where id = $1', [ids.deposit]);
  return {
    users: ['Vera Unmistakable'],
    accounts: [trxLiteral(BALANCE_THRESHOLD_SUN), shortTrx(balance)],
    api_tokens: ['token of Vera', caller.token.slice(0, 10)],
    ledger_entries: ['note of Vera', 'reference of Vera'],
    webhooks: [url],
    subscriptions: [String(TRANSACTIONS)],
    deposit_addresses: [String(deposit!['address'])],
    deposits: [String(deposit!['txid'])],
    delegations: [order.txid!, order.receiver, more],
    holds: [MORE],
    refused_attempts: [refused, 'request-of-Vera'],
    refused_attempt_days: [groupDigits(ATTEMPTS)],
    sessions: [SESSIONS.silent, '198.18.77.0/24'],
  };
}

/** Which of these an answer tells to somebody who has not said them. */
export function told(marks: readonly string[], sent: string, answer: string): string[] {
  const said = decodeURIComponent(sent.replaceAll('+', ' '));
  return marks.filter((mark) => answer.includes(mark) && !said.includes(mark));
}
