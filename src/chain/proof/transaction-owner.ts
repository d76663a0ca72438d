import { type Contract, contractIn, lastOf } from './contract';

/** protocol.Transaction.Contract.ContractType: TransferAsset, AccountUpdate and SetAccountId have their owner second. */
const OWNER_IS_SECOND: ReadonlySet<unknown> = new Set([2n, 10n, 19n]);

/** Whose a transaction is, by the bytes that were signed (protocol.Transaction.raw): an address in hex, empty where they name none. */
export function ownerIn(raw: Buffer): string {
  return ownerOf(contractIn(raw));
}

export function ownerOf(contract: Contract | null): string {
  const owner = contract && lastOf(contract.fields, OWNER_IS_SECOND.has(contract.type) ? 2 : 1);
  return Buffer.isBuffer(owner) ? owner.toString('hex') : '';
}
