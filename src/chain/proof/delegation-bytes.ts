import { readFields } from './protobuf';
import { CONTRACT_RESULTS } from './transaction-tail';

/** What a block shows of a delegation of energy. */
export interface DelegationBytes {
  /** protocol.Transaction.raw, which the txid is the hash of. */
  readonly raw: Buffer;
  /** `41…` in hex. */
  readonly receiver: string;
  readonly stakeSun: bigint;
}

/** protocol.Transaction.Contract.ContractType */
const DELEGATE_RESOURCE = 57n;
/** protocol.ResourceCode */
const ENERGY = 1n;
const SUCCESS = BigInt(CONTRACT_RESULTS.indexOf('SUCCESS'));

/** protocol.Transaction with one DelegateResourceContract that did succeed. Null for anything else. */
export function readDelegation(transaction: Buffer): DelegationBytes | null {
  const outer = readFields(transaction);
  const raw = only(outer?.get(1));
  const result = only(outer?.get(5));
  if (!Buffer.isBuffer(raw) || !Buffer.isBuffer(result) || only(readFields(result)?.get(3)) !== SUCCESS) return null;
  const contract = message(only(readFields(raw)?.get(11)));
  if (only(contract?.get(1)) !== DELEGATE_RESOURCE) return null;
  // google.protobuf.Any: its value is the contract's own message.
  const delegated = message(only(message(only(contract?.get(2)))?.get(2)));
  const [resource, stakeSun, receiver] = [2, 3, 4].map((number) => only(delegated?.get(number)));
  if (resource !== ENERGY || typeof stakeSun !== 'bigint' || !Buffer.isBuffer(receiver)) return null;
  return { raw, receiver: receiver.toString('hex'), stakeSun };
}

function message(value: bigint | Buffer | undefined): ReturnType<typeof readFields> {
  return Buffer.isBuffer(value) ? readFields(value) : null;
}

function only<T>(values: readonly T[] | undefined): T | undefined {
  return values?.length === 1 ? values[0] : undefined;
}
