import { ACCOUNT_FEES_SUN, ACTIVATION_SUN } from '../chain/pool/wallets/fees';
import type { ContractValues } from '../chain/transactions/kinds/contract';
import type { TransactionKind } from '../chain/transactions/kinds/transaction-kind';
import { ORDER } from '../chain/transactions/outbox/chain-transaction.entity';

/** Both contracts that move stake have these. A delegation that is locked, or for a period, has others. */
const OF_STAKE = {
  owner_address: [1, 'address'],
  resource: [2, 'resource'],
  balance: [3, 'integer'],
  receiver_address: [4, 'address'],
} as const;

const MOVES_STAKE = {
  subject: ORDER,
  role: 'delegate',
  receiver: 'receiver_address',
  amount: 'balance',
  fixed: { resource: 'ENERGY' },
} as const;

/** Until a success is answered only the order's request sends it: sent later, it could land after a failure was answered. */
export const DELEGATION: TransactionKind = {
  ...MOVES_STAKE,
  name: 'delegation',
  contract: { type: 57n, name: 'DelegateResourceContract', fields: OF_STAKE },
  resent: 'once answered',
  alone: 'chain_transactions_one_delegation_per_order',
  isProved: true,
  effect: (amountSun) => ({ lentSun: amountSun }),
};

export const RECLAIM: TransactionKind = {
  ...MOVES_STAKE,
  name: 'reclaim',
  contract: { type: 58n, name: 'UnDelegateResourceContract', fields: OF_STAKE },
  takesBack: true,
  resent: 'always',
  alone: 'chain_transactions_one_live_reclaim_per_order',
  effect: (amountSun) => ({ lentSun: -amountSun }),
};

/** A transfer that creates the receiver's account. */
export const ACTIVATION: TransactionKind = {
  subject: ORDER,
  name: 'activation',
  contract: {
    type: 1n,
    name: 'TransferContract',
    fields: { owner_address: [1, 'address'], to_address: [2, 'address'], amount: [3, 'integer'] },
  },
  role: 'activate',
  receiver: 'to_address',
  amount: 'amount',
  fixed: { amount: ACTIVATION_SUN },
  resent: 'always',
  alone: 'chain_transactions_one_live_activation_per_receiver',
  effect: (amountSun) => ({ paidSun: amountSun + ACCOUNT_FEES_SUN }),
};

/** What a delegation or reclaim moves. */
export function stakeOf(receiver: string, amountSun: bigint): ContractValues {
  return { receiver_address: receiver, balance: amountSun };
}
