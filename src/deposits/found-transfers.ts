import { v7 as newId } from 'uuid';
import type { RawTransaction } from '../chain/proof/block-transactions';
import { readTransfer } from '../chain/proof/transfer';
import type { KnownAddress } from './account-addresses';
import type { Asset } from './deposit-states';
import type { NewDeposit } from './deposit.statements';

/** A transfer of TRX or USDT that a block's root proves. */
export interface FoundTransfer {
  readonly txid: string;
  readonly index: number;
  /** Whose transaction it is, `41…` in hex. */
  readonly owner: string;
  /** `41…` in hex. */
  readonly to: string;
  readonly asset: Asset;
  readonly amount: bigint;
}

/**
 * To recipients that may be ours.
 * @param usdt the contract's address, `41…` in hex: a name or symbol is anybody's to choose
 */
export function transfersIn(
  transactions: Iterable<readonly [string, RawTransaction]>,
  usdt: string,
  mayBeOurs: (recipient: Buffer) => boolean,
): FoundTransfer[] {
  const found: FoundTransfer[] = [];
  for (const [txid, bytes] of transactions) {
    const transfer = readTransfer(bytes, mayBeOurs);
    if (!transfer || (transfer.token !== null && transfer.token !== usdt)) continue;
    const { owner, to, amount, token } = transfer;
    // A transaction has one contract, and that one transfer: others have the index for what a block may prove one day.
    found.push({ txid, index: 0, owner, to, amount, asset: token === null ? 'TRX' : 'USDT' });
  }
  return found;
}

/** Those of them that go to customers, as rows to be. */
export function depositsOf(
  transfers: readonly FoundTransfer[],
  known: ReadonlyMap<string, KnownAddress>,
): (NewDeposit & FoundAmount)[] {
  return transfers.flatMap(({ owner: _owner, to, amount, ...transfer }) => {
    const { user_id = null, address } = known.get(to) ?? {};
    if (user_id === null || address === undefined) return [];
    return [{ id: newId(), user_id, address, ...transfer, amount: amount.toString(), worth: { ...transfer, amount } }];
  });
}

export interface FoundAmount {
  readonly worth: { readonly asset: Asset; readonly amount: bigint };
}
