import { IS_OPEN } from '../../chain/outbox/chain-transaction.entity';
import { LENT_STATES, sqlList, TAKEN_BACK_STATES } from '../../delegation/order.states';
import { type Check, openCheck, rowCheck } from './check';

/** Orders against the transactions that carried them out. Only what is settled: orders in flight are no finding. */
export const TRANSACTION_CHECKS: readonly Check[] = [
  rowCheck(
    'orphan_transaction',
    'chain_transactions',
    'transaction',
    `select t.tx_id as subject_id, t.purpose, t.amount_sun::text as amount_sun
       from chain_transactions t
      where t.id = any($1::bigint[]) and not exists (select from delegations d where d.id = t.delegation_id)`,
  ),
  // What a row says was signed is looked at because rows may be wrong: it need not be a number.
  rowCheck(
    'wrong_amount',
    'delegations',
    'delegation',
    `select d.id as subject_id, d.stake_sun::text as stake_sun, t.purpose, t.amount_sun::text as amount_sun,
            coalesce(s.signed_sun, '') as signed_sun
       from chain_transactions t join delegations d on d.id = t.delegation_id
       cross join lateral (select t.raw_data #>> '{contract,0,parameter,value,balance}' as signed_sun) s
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
       join chain_transactions t on t.delegation_id = d.id and t.purpose = 'delegation'
      where d.id = any($1::uuid[]) and t.state <> 'final'
        and d.state in ${sqlList([...LENT_STATES, ...TAKEN_BACK_STATES])}`,
  ),
  rowCheck(
    'landed_although_failed',
    'delegations',
    'delegation',
    `select d.id as subject_id, t.tx_id, coalesce(t.block_number::text, '') as block
       from delegations d
       join chain_transactions t on t.delegation_id = d.id and t.purpose = 'delegation' and t.state = 'final'
      where d.id = any($1::uuid[]) and d.state = 'failed'`,
  ),
  rowCheck(
    'stake_not_released',
    'delegations',
    'delegation',
    `select d.id as subject_id, d.state
       from delegations d
      where d.id = any($1::uuid[]) and d.state in ${sqlList(TAKEN_BACK_STATES)} and d.shortage_sun < d.stake_sun
        and not exists (select from chain_transactions t
                         where t.delegation_id = d.id and t.purpose = 'reclaim' and t.state = 'final')`,
  ),
  openCheck(
    'hold_stuck',
    'delegation',
    `select h.delegation_id as subject_id, h.amount_sun::text as held_sun, h.created_at::text as since
       from holds h
      where h.state = 'held' and h.created_at < now() - interval '15 minutes'
        and not exists (select from chain_transactions t
                         where t.delegation_id = h.delegation_id and t.${IS_OPEN})`,
  ),
];
