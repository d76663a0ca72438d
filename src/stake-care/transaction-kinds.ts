import { SUN_A_BYTE } from '../chain/pool/wallets/fees';
import type { ContractValues } from '../chain/transactions/kinds/contract';
import type { TransactionKind } from '../chain/transactions/kinds/transaction-kind';
import type { OperationKind, OperationRow, Votes } from './stake-operation';

/** Rows of this kind of subject belong to a row of `stake_operations`. */
export const STAKE_OPERATION = 'stake operation';

/** Bytes of a vote for the most witnesses, 30, with its signature; every other operation has fewer than 300. */
const MOST_BYTES_OF_VOTE = 1_200n;

const OF_CARE = {
  subject: STAKE_OPERATION,
  role: 'care',
  resent: 'always',
  alone: 'stake_operations_one_open_per_kind',
} as const;

const OF_OWNER = { owner_address: [1, 'address'] } as const;
const FREEZING = {
  type: 54n,
  name: 'FreezeBalanceV2Contract',
  fields: { ...OF_OWNER, frozen_balance: [2, 'integer'], resource: [3, 'resource'] },
} as const;
const UNFREEZING = {
  type: 55n,
  name: 'UnfreezeBalanceV2Contract',
  fields: { ...OF_OWNER, unfreeze_balance: [2, 'integer'], resource: [3, 'resource'] },
} as const;

export const VOTE: TransactionKind = {
  ...OF_CARE,
  name: 'vote',
  contract: {
    type: 4n,
    name: 'VoteWitnessContract',
    fields: { ...OF_OWNER, votes: [2, { vote_address: [1, 'address'], vote_count: [2, 'integer'] }] },
  },
  // A reading allows for the bytes of one of our other transactions.
  effect: () => ({ paidSun: MOST_BYTES_OF_VOTE * SUN_A_BYTE }),
};

export const CLAIM: TransactionKind = {
  ...OF_CARE,
  name: 'claim',
  contract: { type: 13n, name: 'WithdrawBalanceContract', fields: OF_OWNER },
};

export const FREEZE_ENERGY: TransactionKind = {
  ...OF_CARE,
  name: 'freeze_energy',
  contract: FREEZING,
  amount: 'frozen_balance',
  fixed: { resource: 'ENERGY' },
  effect: (amountSun) => ({ paidSun: amountSun, energySun: amountSun }),
};

export const FREEZE_BANDWIDTH: TransactionKind = {
  ...FREEZE_ENERGY,
  name: 'freeze_bandwidth',
  fixed: { resource: 'BANDWIDTH' },
  effect: (amountSun) => ({ paidSun: amountSun, bandwidthSun: amountSun }),
};

export const UNFREEZE_ENERGY: TransactionKind = {
  ...OF_CARE,
  name: 'unfreeze_energy',
  contract: UNFREEZING,
  isOptional: true,
  amount: 'unfreeze_balance',
  fixed: { resource: 'ENERGY' },
  effect: (amountSun) => ({ energySun: -amountSun }),
};

export const UNFREEZE_BANDWIDTH: TransactionKind = {
  ...UNFREEZE_ENERGY,
  name: 'unfreeze_bandwidth',
  fixed: { resource: 'BANDWIDTH' },
  effect: (amountSun) => ({ bandwidthSun: -amountSun }),
};

export const WITHDRAWAL: TransactionKind = {
  ...OF_CARE,
  name: 'withdrawal',
  contract: { type: 56n, name: 'WithdrawExpireUnfreezeContract', fields: OF_OWNER },
};

export const CANCEL_UNFREEZE: TransactionKind = {
  ...OF_CARE,
  name: 'cancel_unfreeze',
  contract: { type: 59n, name: 'CancelAllUnfreezeV2Contract', fields: OF_OWNER },
  isOptional: true,
  effect: () => ({ restakes: true }),
};

export const STAKE_KINDS: readonly TransactionKind[] = [
  VOTE,
  CLAIM,
  FREEZE_ENERGY,
  FREEZE_BANDWIDTH,
  UNFREEZE_ENERGY,
  UNFREEZE_BANDWIDTH,
  WITHDRAWAL,
  CANCEL_UNFREEZE,
];

interface Asked {
  readonly kind: TransactionKind;
  readonly values: ContractValues;
}
type Asking = Pick<OperationRow, 'kind' | 'resource' | 'amount_sun' | 'votes'>;

const TRANSACTIONS: Readonly<Record<OperationKind, (asking: Asking) => Asked>> = {
  vote: ({ votes }) => ({ kind: VOTE, values: { votes: votes!.map(voteOf) } }),
  claim: () => ({ kind: CLAIM, values: {} }),
  freeze: ({ resource, amount_sun: amountSun }) => ({
    kind: resource === 'energy' ? FREEZE_ENERGY : FREEZE_BANDWIDTH,
    values: { frozen_balance: amountSun! },
  }),
  unfreeze: ({ resource, amount_sun: amountSun }) => ({
    kind: resource === 'energy' ? UNFREEZE_ENERGY : UNFREEZE_BANDWIDTH,
    values: { unfreeze_balance: amountSun! },
  }),
  withdraw: () => ({ kind: WITHDRAWAL, values: {} }),
  'cancel-unfreeze': () => ({ kind: CANCEL_UNFREEZE, values: {} }),
};

/** The transaction that carries an operation out. */
export function transactionOf(operation: Asking): Asked {
  return TRANSACTIONS[operation.kind](operation);
}

function voteOf({ witness, votes }: Votes[number]): ContractValues {
  return { vote_address: witness, vote_count: BigInt(votes) };
}
