import type { Statement } from '../database/sql';

/** The activations of receivers that are under way or not final yet: there is at most one of each (a unique index). */
export const LIVE_ACTIVATIONS: Statement = {
  name: 'activation_live',
  text: `select receiver as key, * from chain_transactions
          where receiver = any($1::text[]) and purpose = 'activation' and state in ('saved', 'sent', 'included')`,
};

export const ACTIVATION: Statement = {
  name: 'activation_by_txid',
  text: `select * from chain_transactions where tx_id = $1`,
};

export const DELEGATION_TXID: Statement = {
  name: 'delegation_txid',
  text: `select tx_id, state from chain_transactions where delegation_id = $1 and purpose = 'delegation'`,
};
