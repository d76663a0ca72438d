import type { Statement } from '../../database/sql';

/** The activations of receivers that are under way or not final yet: there is at most one of each (a unique index). */
export const LIVE_ACTIVATIONS: Statement = {
  name: 'activation_live',
  text: `select receiver as key, * from chain_transactions
          where receiver = any($1::text[]) and purpose = 'activation' and state in ('saved', 'sent', 'included')`,
};

export const ACTIVATION: Statement = {
  name: 'activation_by_txid',
  text: `select *, state = 'saved' and not resend as withdrawn from chain_transactions where tx_id = $1`,
};

/** Refused for good, as far as one node can tell: its order is a failure, so it is not sent again, and nobody waits for it. */
export const WITHDRAW_ACTIVATION: Statement = {
  name: 'activation_withdraw',
  text: `update chain_transactions set resend = false where tx_id = $1 and purpose = 'activation' and state = 'saved' returning wallet_id`,
};

export const DELEGATION_TXID: Statement = {
  name: 'delegation_txid',
  text: `select tx_id, state from chain_transactions where delegation_id = $1 and purpose = 'delegation'`,
};

/** Ours and solid: it could land only where the receiver exists or came to be, and an account never goes away again. */
export const PROVES_RECEIVER: Statement = {
  name: 'proves_receiver',
  text: `select 1 as found from delegations d join chain_transactions t on t.delegation_id = d.id
          where d.receiver = $1 and t.purpose in ('activation', 'delegation') and t.state = 'final' limit 1`,
};
