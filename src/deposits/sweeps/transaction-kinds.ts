import type { Asset } from '../deposit-states';
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

/** More than 130,285 energy cost at any price so far. An address whose energy is lent burns none of it. */
const FEE_LIMIT_SUN = 60_000_000n;

/** All USDT of an address, by a call of the contract's `transfer`. */
export const SWEEP_USDT: TransactionKind = {
  name: 'sweep_usdt',
  subject: DEPOSIT_SWEEP,
  contract: {
    type: 31n,
    name: 'TriggerSmartContract',
    fields: { owner_address: [1, 'address'], contract_address: [2, 'address'], data: [4, 'bytes'] },
    feeLimitSun: FEE_LIMIT_SUN,
  },
  role: null,
  resent: 'always',
  alone: 'deposit_sweeps_one_open_per_address',
};

export const SWEEP_KINDS: Readonly<Record<Asset, TransactionKind>> = { TRX: SWEEP_TRX, USDT: SWEEP_USDT };
