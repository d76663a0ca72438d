import { contractIn } from './contract';
import { readFields } from './protobuf';
import { CONTRACT_RESULTS } from './transaction-tail';

/** TRX that one account has sent to another; addresses are `41…` in hex. */
export interface SentTransfer {
  readonly from: string;
  readonly to: string;
  readonly sun: bigint;
}

/** protocol.Transaction.Contract.ContractType: TransferContract */
const TRANSFER = 1n;
const SUCCESS = BigInt(CONTRACT_RESULTS.indexOf('SUCCESS'));

/**
 * A TransferContract that did succeed, by the bytes that were signed and what follows them in the block. Stricter than the network: a field
 * that comes twice makes it none. `no-transfer`: anything else, a token's transfer among it; `failed`: its result is not SUCCESS.
 */
export function readSentTransfer(raw: Buffer, tail: Buffer): SentTransfer | 'no-transfer' | 'failed' {
  const contract = contractIn(raw);
  if (contract?.type !== TRANSFER) return 'no-transfer';
  const [from, to, sun] = [1, 2, 3].map((number) => only(contract.fields.get(number)));
  if (!isAddress(from) || !isAddress(to) || typeof sun !== 'bigint' || sun <= 0n) return 'no-transfer';
  const result = only(readFields(tail)?.get(5));
  const fields = Buffer.isBuffer(result) ? readFields(result) : null;
  // Field 2 says whether the whole transaction failed: absent, or 0, where it did not.
  if (only(fields?.get(3)) !== SUCCESS || (fields?.get(2) ?? [0n]).some((code) => code !== 0n)) return 'failed';
  return { from: from.toString('hex'), to: to.toString('hex'), sun };
}

function only<T>(values: readonly T[] | undefined): T | undefined {
  return values?.length === 1 ? values[0] : undefined;
}

function isAddress(value: bigint | Buffer | undefined): value is Buffer {
  return Buffer.isBuffer(value) && value.length === 21 && value[0] === 0x41;
}
