import type { RawTransaction } from './block-transactions';
import { type Contract, lastOf } from './contract';
import { readFields } from './protobuf';

/** What a transaction moves by its own bytes, as far as its leaf in a block proves it. Addresses are `41…` in hex. */
export interface Transfer {
  /** The contract whose token it is; null: TRX. */
  readonly token: string | null;
  /** Whose transaction it is: of `transferFrom`, not the one who pays. */
  readonly owner: string;
  readonly to: string;
  /** Above 0, in the smallest unit. */
  readonly amount: bigint;
}

/** protocol.Transaction.Contract.ContractType */
const TRANSFER_CONTRACT = 1n;
const TRIGGER_SMART_CONTRACT = 31n;
/** protocol.Transaction: its results; protocol.Transaction.Result: `ret` and `contractRet`. */
const RESULTS = 5;
const CODE = 2;
const CONTRACT_RESULT = 3;
/** protocol.Transaction.Result.contractResult */
const SUCCESS = 1n;

/** There is less TRX, and less USDT: a larger number cannot be an amount, and fits no column. */
const MOST = 2n ** 63n - 1n;

const WORD = 32;
const SELECTOR = 4;
const ADDRESS_BYTES = 20;
/** By selector: which words of the arguments name the recipient and the amount. */
const METHODS: ReadonlyMap<number, { readonly to: number; readonly amount: number }> = new Map([
  // transfer(address,uint256)
  [0xa9_05_9c_bb, { to: 0, amount: 1 }],
  // transferFrom(address,address,uint256)
  [0x23_b8_72_dd, { to: 1, amount: 2 }],
]);

/**
 * A transfer of TRX, or a direct call of a token's `transfer` or `transferFrom`. A contract's own result says nothing (USDT on TRON
 * answers false to a transfer that it makes), so the call counts by the result that the block has of it. What a contract moves inside a
 * call is in no block's bytes: such a transaction has no transfer here.
 * @param isWanted the others are left out, by their 20 bytes, before the rest of the transaction is read
 */
export function readTransfer(
  { contract, tail }: Pick<RawTransaction, 'contract' | 'tail'>,
  isWanted: (recipient: Buffer) => boolean = () => true,
): Transfer | null {
  const claim = contract && claimOf(contract);
  if (!claim || !isWanted(claim.to) || !hasSucceeded(tail)) return null;
  const { fields } = contract;
  const isTrx = contract.type === TRANSFER_CONTRACT;
  const [owner, token] = [addressOf(lastOf(fields, 1)), isTrx ? null : addressOf(lastOf(fields, 2))];
  const amount = typeof claim.amount === 'bigint' ? claim.amount : BigInt(`0x${claim.amount.toString('hex')}`);
  if (owner === null || (!isTrx && token === null) || amount <= 0n || amount > MOST) return null;
  return { token, owner, to: `41${claim.to.toString('hex')}`, amount };
}

/** Whom it says it pays, and how much: a number, or a word of calldata. */
function claimOf({ type, fields }: Contract): { to: Buffer; amount: bigint | Buffer } | null {
  if (type === TRANSFER_CONTRACT) {
    const [to, amount] = [lastOf(fields, 2), lastOf(fields, 3)];
    return isAddress(to) && typeof amount === 'bigint' ? { to: to.subarray(1), amount } : null;
  }
  const data = type === TRIGGER_SMART_CONTRACT ? lastOf(fields, 4) : undefined;
  if (!Buffer.isBuffer(data) || data.length < SELECTOR) return null;
  const method = METHODS.get(data.readUInt32BE());
  const [to, amount] = method ? [wordOf(data, method.to), wordOf(data, method.amount)] : [null, null];
  // The contract looks at the lower 20 bytes alone. It reads data that is too short on as zeros: nothing is concluded from such a call.
  return to && amount && { to: to.subarray(WORD - ADDRESS_BYTES), amount };
}

/** One result, which says so: what the leaf hashes. */
export function hasSucceeded(tail: Buffer): boolean {
  const results = readFields(tail)?.get(RESULTS);
  const result = results?.length === 1 && Buffer.isBuffer(results[0]) ? readFields(results[0]) : null;
  return result !== null && !lastOf(result, CODE) && lastOf(result, CONTRACT_RESULT) === SUCCESS;
}

function wordOf(data: Buffer, at: number): Buffer | null {
  const start = SELECTOR + at * WORD;
  return data.length >= start + WORD ? data.subarray(start, start + WORD) : null;
}

function addressOf(value: bigint | Buffer | undefined): string | null {
  return isAddress(value) ? value.toString('hex') : null;
}

function isAddress(value: bigint | Buffer | undefined): value is Buffer {
  return Buffer.isBuffer(value) && value.length === 21 && value[0] === 0x41;
}
