import type { TransactionKind } from '../../chain/transactions/kinds/transaction-kind';

/** Rows of this kind of subject belong to a row of `deposit_sweeps`. */
export const DEPOSIT_SWEEP = 'deposit sweep';

/** All TRX of an address, to the treasury. It is signed where no service is. */
export const SWEEP_TRX: TransactionKind = {
  name: 'sweep_trx',
  subject: DEPOSIT_SWEEP,
  contract: {
    type: 1n,
    name: 'TransferContract',
    fields: { owner_address: [1, 'address'], to_address: [2, 'address'], amount: [3, 'integer'] },
  },
  role: null,
  receiver: 'to_address',
  amount: 'amount',
  resent: 'always',
  alone: 'deposit_sweeps_one_open_per_address',
};
