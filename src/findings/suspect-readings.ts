import { IS_OPEN } from '../chain/transactions/outbox/chain-transaction.entity';
import { IS_LENT_ORDER } from '../common/order.states';
import type { FindingKind } from '../common/finding-reasons';

/**
 * Less on chain than the orders say: when it is there again with no order having ended short, the readings were wrong. Every
 * other finding ends in the same way when somebody covers his tracks, so it takes a person to resume the wallet.
 */
export const MAY_HAVE_BEEN_MISREAD: readonly FindingKind[] = ['undelegation_foreign', 'delegation_missing'];

export function mayHaveBeenMisread({ kind }: { readonly kind: string }): boolean {
  return MAY_HAVE_BEEN_MISREAD.some((suspect) => suspect === kind);
}

/** More on chain than the orders say. */
export const FOREIGN_STAKE: readonly FindingKind[] = ['delegation_foreign', 'delegation_double', 'stake_not_released'];

/**
 * True of a finding `f` while an order of its wallet and receiver is being taken back. Its stake is not looked for on chain from the
 * signature on, landed or not, so that the finding is not seen; whether the stake was there is known only once the node has taken the
 * undelegation.
 */
export const RECLAIM_UNDECIDED = `
  exists (select 1 from delegations d
           where d.receiver = f.receiver and d.wallet_id = f.wallet_id
             and d.${IS_LENT_ORDER}
             and (d.last_error is not null
                  or exists (select 1 from chain_transactions t
                              where t.subject_id = d.id and t.purpose = 'reclaim' and t.${IS_OPEN})))`;
