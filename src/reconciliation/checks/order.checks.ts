import { IS_OPEN, ORDER } from '../../chain/transactions/outbox/chain-transaction.entity';
import { LENT_STATES, sqlList } from '../../common/order.states';
import { type Check, openCheck, rowCheck } from './check';

/** Orders that are not where they should be by now. Orders in flight are no finding: each check waits well past their time. */
export const ORDER_CHECKS: readonly Check[] = [
  openCheck(
    'stuck_transaction',
    'delegation',
    `select case subject_kind when '${ORDER}' then subject_id::text else tx_id end as subject_id,
            case when subject_kind <> '${ORDER}' then 'transaction' end as subject_type, purpose, tx_id, state, to_timestamp(expiration_ms / 1000.0)::text as expired_at
       from chain_transactions
      where ${IS_OPEN} and to_timestamp(expiration_ms / 1000.0) < now() - interval '10 minutes'`,
  ),
  openCheck(
    'abandoned_order',
    'delegation',
    `select id as subject_id, created_at::text as since
       from delegations where state = 'activating' and created_at < now() - interval '10 minutes'`,
  ),
  rowCheck(
    'unsigned_order',
    'delegations',
    'delegation',
    `select d.id as subject_id, d.state
       from delegations d
      where d.id = any($1::uuid[]) and d.state not in ('activating', 'failed')
        and not exists (select 1 from chain_transactions t
                         where t.subject_id = d.id and t.subject_id = any($1::uuid[]) and t.purpose = 'delegation')`,
  ),
  openCheck(
    'overdue_reclaim',
    'delegation',
    `select id as subject_id, state, reclaim_due_at::text as since, last_error as error
       from delegations
      where state in ${sqlList(LENT_STATES)} and reclaim_due_at < now() - interval '15 minutes'
        and last_error is not null`,
  ),
  rowCheck(
    'shortage',
    'delegations',
    'delegation',
    `select d.id as subject_id, d.shortage_sun::text as shortage_sun, d.stake_sun::text as stake_sun,
            d.shortage_sun as acknowledgeable_sun
       from delegations d
      where d.id = any($1::uuid[]) and d.shortage_sun > 0
        and not exists (select 1 from findings f
                         where f.kind = 'shortage' and f.subject_type = 'delegation' and f.subject_id = d.id::text
                           and f.acknowledged_at is not null and f.amount_sun >= d.shortage_sun)`,
  ),
];
