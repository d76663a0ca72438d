import { readFields } from './protobuf';

/** protocol.Transaction.Contract.ContractType: TransferAsset, AccountUpdate and SetAccountId have their owner second. */
const OWNER_IS_SECOND: ReadonlySet<unknown> = new Set([2n, 10n, 19n]);

/** Whose a transaction is, by the bytes that were signed (protocol.Transaction.raw): an address in hex, empty where they name none. */
export function ownerIn(raw: Buffer): string {
  // The network carries out the first contract, and of a field that comes twice the last.
  const contract = messageAt(readFields(raw), 11, 0);
  // google.protobuf.Any: its value is the contract's own message.
  const own = messageAt(messageAt(contract, 2), 2);
  const owner = own?.get(OWNER_IS_SECOND.has(contract?.get(1)?.at(-1)) ? 2 : 1)?.at(-1);
  return Buffer.isBuffer(owner) ? owner.toString('hex') : '';
}

function messageAt(fields: ReturnType<typeof readFields>, number: number, at = -1): ReturnType<typeof readFields> {
  const value = fields?.get(number)?.at(at);
  return Buffer.isBuffer(value) ? readFields(value) : null;
}
