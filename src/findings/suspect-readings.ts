/**
 * Less on chain than the orders say: when it is there again with no order having ended short, the readings were wrong. Every
 * other finding ends in the same way when somebody covers his tracks, so it takes a person to resume the wallet.
 */
export const MAY_HAVE_BEEN_MISREAD: readonly string[] = ['undelegation_foreign', 'delegation_missing'];

/** More on chain than the orders say. */
export const FOREIGN_STAKE: readonly string[] = ['delegation_foreign', 'delegation_double', 'stake_not_released'];

/**
 * Of a finding `f`: an order of its pair is being taken back. Its stake is not looked for on chain from the signature on, landed
 * or not, so that the finding is not seen; whether the stake was there is known only once the node has taken the undelegation.
 */
export const RECLAIM_UNDECIDED = `
  exists (select 1 from delegations d join pool_wallets w on w.id = d.wallet_id
           where d.receiver = substring(f.subject from '\\S+$') and f.subject = w.name || ' to ' || d.receiver
             and d.state in ('delegated', 'reclaiming', 'taking_back')
             and (d.last_error is not null
                  or exists (select 1 from chain_transactions t
                              where t.delegation_id = d.id and t.purpose = 'reclaim' and t.state in ('saved', 'sent', 'included'))))`;
