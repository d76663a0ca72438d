import { trx } from '../../database/trx.sql';
import type { Check } from './check';

const COMPARE = 'Compare the order (delegation:show) with the transaction in a block explorer; the chain is right.';

/** What a row says was signed is looked at because rows may be wrong: it need not be a number. */
const SIGNED = `t.raw_data #>> '{contract,0,parameter,value,balance}'`;
const SIGNED_TRX = `case when ${SIGNED} ~ '^[0-9]{1,30}$' then ${trx(`(${SIGNED})::numeric`)}::text else ${SIGNED} end`;

/** Orders against the transactions that carried them out. Only what is settled: orders in flight are no finding. */
export const TRANSACTION_CHECKS: readonly Check[] = [
  {
    kind: 'orphan_transaction',
    of: 'chain_transactions',
    nextStep: 'The order of it is gone: restore it from a backup, or take the stake back by hand once it is solid.',
    statement: {
      name: 'audit_orphan_transaction',
      text: `
        select 'transaction ' || t.tx_id as subject, format('a %s of %s TRX without an order', t.purpose, ${trx('t.amount_sun')}) as reason
          from chain_transactions t
         where t.id = any($1::bigint[]) and not exists (select from delegations d where d.id = t.delegation_id)`,
    },
  },
  {
    kind: 'wrong_amount',
    of: 'delegations',
    nextStep: COMPARE,
    statement: {
      name: 'audit_wrong_amount',
      text: `
        select 'delegation ' || d.id as subject,
               format('has a stake of %s TRX; its %s is of %s, and what was signed is of %s', ${trx('d.stake_sun')}, t.purpose,
                 ${trx('t.amount_sun')}, ${SIGNED_TRX}) as reason
          from chain_transactions t join delegations d on d.id = t.delegation_id
         where d.id = any($1::uuid[]) and t.state <> 'dead'
           and (t.amount_sun::text <> ${SIGNED}
                or t.purpose = 'delegation' and t.amount_sun <> d.stake_sun
                or t.purpose = 'reclaim' and t.amount_sun <> d.stake_sun - d.shortage_sun)
           and t.purpose <> 'activation'`,
    },
  },
  {
    kind: 'missing_delegation',
    of: 'delegations',
    nextStep: COMPARE,
    statement: {
      name: 'audit_missing_delegation',
      text: `
        select 'delegation ' || d.id as subject, format('is %s, its delegation is only %s', d.state, t.state) as reason
          from delegations d
          join chain_transactions t on t.delegation_id = d.id and t.purpose = 'delegation'
         where d.id = any($1::uuid[]) and t.state <> 'final'
           and d.state in ('delegated', 'reclaiming', 'reclaimed', 'taking_back', 'taken_back')`,
    },
  },
  {
    kind: 'landed_although_failed',
    of: 'delegations',
    nextStep: 'Nobody was charged, and the stake is out: take it back by hand, then correct the order.',
    statement: {
      name: 'audit_landed_although_failed',
      text: `
        select 'delegation ' || d.id as subject, format('has failed, but %s is in block %s', t.tx_id, t.block_number) as reason
          from delegations d
          join chain_transactions t on t.delegation_id = d.id and t.purpose = 'delegation' and t.state = 'final'
         where d.id = any($1::uuid[]) and d.state = 'failed'`,
    },
  },
  {
    kind: 'stake_not_released',
    of: 'delegations',
    nextStep:
      'Nothing has taken it back: set the order back to reclaiming with the service stopped; the sweeper does the rest.',
    statement: {
      name: 'audit_stake_not_released',
      text: `
        select 'delegation ' || d.id as subject, format('is %s without an undelegation in a block', d.state) as reason
          from delegations d
         where d.id = any($1::uuid[]) and d.state in ('reclaimed', 'taken_back') and d.shortage_sun < d.stake_sun
           and not exists (select from chain_transactions t
                            where t.delegation_id = d.id and t.purpose = 'reclaim' and t.state = 'final')`,
    },
  },
  {
    kind: 'hold_stuck',
    of: 'open',
    nextStep:
      'The order should have settled: check that the block follower keeps up (metrics) and that a node answers (doctor).',
    statement: {
      name: 'audit_hold_stuck',
      text: `
        select 'delegation ' || h.delegation_id as subject, format('holds %s TRX since %s', ${trx('h.amount_sun')}, h.created_at) as reason
          from holds h
         where h.state = 'held' and h.created_at < now() - interval '15 minutes'
           and not exists (select from chain_transactions t
                            where t.delegation_id = h.delegation_id and t.state in ('saved', 'sent', 'included'))`,
    },
  },
];
