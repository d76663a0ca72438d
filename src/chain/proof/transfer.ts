import type { RawTransaction } from './block-transactions';
import { contractIn, lastOf } from './contract';
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
const METHODS: ReadonlyMap<string, { readonly to: number; readonly amount: number }> = new Map([
  // transfer(address,uint256)
  ['a9059cbb', { to: 0, amount: 1 }],
  // transferFrom(address,address,uint256)
  ['23b872dd', { to: 1, amount: 2 }],
]);

/**
 * A transfer of TRX, or a direct call of a token's `transfer` or `transferFrom`. A contract's own result says nothing (USDT on TRON
 * answers false to a transfer that it makes), so the call counts by the result that the block has of it. What a contract moves inside a
 * call is in no block's bytes: such a transaction has no transfer here.
 */
export function readTransfer({ raw, tail }: RawTransaction): Transfer | null {
  const contract = contractIn(raw);
  if (!contract || !hasSucceeded(tail)) return null;
  const { type, fields } = contract;
  const owner = addressOf(lastOf(fields, 1));
  if (owner === null) return null;
  if (type === TRANSFER_CONTRACT) return transferOf(owner, null, addressOf(lastOf(fields, 2)), lastOf(fields, 3));
  if (type !== TRIGGER_SMART_CONTRACT) return null;
  const data = lastOf(fields, 4);
  const method = Buffer.isBuffer(data) && METHODS.get(data.toString('hex', 0, SELECTOR));
  const token = addressOf(lastOf(fields, 2));
  if (!method || token === null) return null;
  const [to, amount] = [wordOf(data, method.to), wordOf(data, method.amount)];
  // The contract looks at the lower 20 bytes alone. It reads data that is too short on as zeros: nothing is concluded from such a call.
  const recipient = to && `41${to.toString('hex', WORD - ADDRESS_BYTES)}`;
  return transferOf(owner, token, recipient, amount && BigInt(`0x${amount.toString('hex')}`));
}

function transferOf(
  owner: string,
  token: string | null,
  to: string | null,
  amount: bigint | Buffer | null | undefined,
) {
  const isAmount = typeof amount === 'bigint' && amount > 0n && amount <= MOST;
  return to !== null && isAmount ? { token, owner, to, amount } : null;
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
  return Buffer.isBuffer(value) && value.length === 21 && value[0] === 0x41 ? value.toString('hex') : null;
}
