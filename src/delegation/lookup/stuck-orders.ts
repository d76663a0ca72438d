import { IS_OPEN } from '../../chain/transactions/outbox/chain-transaction.entity';
import { LENT_STATES, OPEN_STATES, sqlList } from '../../common/order.states';

const LENT = `state in ${sqlList(LENT_STATES)}`;

/** Orders that need a look, each kind by what is true of its rows: counted and listed by the same words. */
export const STUCK_ORDERS = {
  overdue: `select id from delegations where ${LENT} and reclaim_due_at < now() - interval '15 minutes'`,
  failing: `select id from delegations where ${LENT} and last_error is not null`,
  undecided: `select subject_id as id from chain_transactions
               where ${IS_OPEN} and subject_kind = 'order'
                 and expiration_ms < extract(epoch from now() - interval '10 minutes') * 1000`,
  refused: `select id from delegations where answer = 'failure' and created_at > now() - interval '1 hour'`,
  abandoned: `select id from delegations
               where state in ${sqlList(OPEN_STATES)} and created_at < now() - interval '10 minutes'`,
} as const;

export type StuckKind = keyof typeof STUCK_ORDERS;
export const STUCK_KINDS = Object.keys(STUCK_ORDERS) as readonly StuckKind[];
