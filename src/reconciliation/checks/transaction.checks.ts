import { IS_OPEN, ORDER } from '../../chain/transactions/outbox/chain-transaction.entity';
import { transactionsOf } from '../../chain/transactions/outbox/transactions-of.sql';
import { LENT_STATES, sqlList, TAKEN_BACK_STATES } from '../../common/order.states';
import { type Check, openCheck, rowCheck } from './check';

/**
 * In both contracts that move stake, after the owner's address (field 1) and ENERGY (field 2): the stake (field 3), a number in groups
 * of seven bits, and the receiver's address (field 4).
 */
const STAKE_IN_HEX = '0a1541[0-9a-f]{40}100118((?:[89a-f][0-9a-f])*[0-7][0-9a-f])221541';

/** SQL: the stake in the signed bytes of `t`, as text; null where there are no bytes, empty where no stake is found in them. */
const SIGNED_SUN = `(
  select case when raw = '' then null else coalesce((
           select sum((get_byte(number, at) & 127)::numeric * 128::numeric ^ at)::bigint::text
             from generate_series(0, length(number) - 1) at), '') end
    from (select encode(t.raw_data, 'hex') as raw) bytes
    left join lateral (select decode((regexp_match(raw, '${STAKE_IN_HEX}'))[1], 'hex') as number) stake on true)`;

const TRANSACTIONS = transactionsOf('d');

/** Orders against the transactions that carried them out. Only what is settled: orders in flight are no finding. */
export const TRANSACTION_CHECKS: readonly Check[] = [
  rowCheck(
    'orphan_transaction',
    'chain_transactions',
    'transaction',
    `select t.tx_id as subject_id, t.purpose, t.amount_sun::text as amount_sun
       from chain_transactions t
      where t.id = any($1::bigint[]) and t.subject_kind = '${ORDER}'
        and (select d.id from delegations d where d.id = t.subject_id limit 1) is null`,
  ),
  // What was signed is looked at because rows may be wrong. Rows without bytes are of no version of ours.
  rowCheck(
    'wrong_amount',
    'delegations',
    'delegation',
    `select d.id as subject_id, d.stake_sun::text as stake_sun, t.purpose, t.amount_sun::text as amount_sun,
            coalesce(s.signed_sun, '') as signed_sun
       from delegations d cross join lateral ${TRANSACTIONS} t
       cross join lateral (select ${SIGNED_SUN} as signed_sun) s
      where d.id = any($1::uuid[]) and t.state <> 'dead'
        and (t.amount_sun::text <> s.signed_sun
             or t.purpose = 'delegation' and t.amount_sun <> d.stake_sun
             or t.purpose = 'reclaim' and t.amount_sun <> d.stake_sun - d.shortage_sun)
        and t.purpose <> 'activation'`,
  ),
  rowCheck(
    'missing_delegation',
    'delegations',
    'delegation',
    `select d.id as subject_id, d.state, t.state as transaction_state
       from delegations d
      cross join lateral ${TRANSACTIONS} t
      where d.id = any($1::uuid[]) and t.purpose = 'delegation' and t.state <> 'final'
        and d.state in ${sqlList([...LENT_STATES, ...TAKEN_BACK_STATES])}`,
  ),
  rowCheck(
    'landed_although_failed',
    'delegations',
    'delegation',
    `select d.id as subject_id, t.tx_id, coalesce(t.block_number::text, '') as block
       from delegations d
      cross join lateral ${TRANSACTIONS} t
      where d.id = any($1::uuid[]) and d.state = 'failed' and t.purpose = 'delegation' and t.state = 'final'`,
  ),
  rowCheck(
    'stake_not_released',
    'delegations',
    'delegation',
    `select d.id as subject_id, d.state
       from delegations d
      where d.id = any($1::uuid[]) and d.state in ${sqlList(TAKEN_BACK_STATES)} and d.shortage_sun < d.stake_sun
        and not exists (select from ${TRANSACTIONS} t where t.purpose = 'reclaim' and t.state = 'final')`,
  ),
  openCheck(
    'hold_stuck',
    'delegation',
    `select h.delegation_id as subject_id, h.amount_sun::text as held_sun, h.created_at::text as since
       from holds h
      where h.state = 'held' and h.created_at < now() - interval '15 minutes'
        and not exists (select from chain_transactions t
                         where t.subject_id = h.delegation_id and t.${IS_OPEN})`,
  ),
];
