import { RefusalError } from '../refusal';
import { type Action, CONTRACTS } from './contracts';
import { readMessage, type Shape } from './wire.reader';

/** protocol.Transaction.raw: reference block, expiration, contract and timestamp. It may have no memo, no fee limit, no second signer. */
const RAW: Shape = { 1: 'bytes', 4: 'bytes', 8: 'integer', 11: 'list', 14: 'integer' };
/** Type, parameter and permission. */
const CONTRACT: Shape = { 1: 'integer', 2: 'bytes', 5: 'integer' };
const ANY: Shape = { 1: 'bytes', 2: 'bytes' };

const REFERENCE_BYTES = 2;
const REFERENCE_HASH_BYTES = 8;

/** All that the bytes to sign say. The reference block is left out: it moves nothing. */
export interface Transaction {
  readonly action: Action;
  readonly owner: Buffer;
  readonly permissionId: bigint;
  readonly expirationMs: bigint;
}

/** Reads `raw_data` of a transaction. @throws RefusalError */
export function readTransaction(rawData: Buffer): Transaction {
  const raw = readMessage(rawData, RAW, 'raw_data');
  const contracts = raw.list(11);
  if (contracts.length !== 1) throw new RefusalError('not_allowed', `${contracts.length} contracts`);
  if (raw.bytes(1).length !== REFERENCE_BYTES || raw.bytes(4).length !== REFERENCE_HASH_BYTES)
    throw new RefusalError('unreadable', 'raw_data: the reference block has 2 bytes of its number and 8 of its hash');
  const contract = readMessage(contracts[0]!, CONTRACT, 'contract');
  const type = contract.integer(1);
  const known = CONTRACTS.get(type);
  if (!known) throw new RefusalError('not_allowed', `contract type ${type}`);
  const any = readMessage(contract.bytes(2), ANY, 'parameter');
  if (!any.bytes(1).equals(Buffer.from(`type.googleapis.com/protocol.${known.kind}`)))
    throw new RefusalError('not_allowed', `contract type ${type} with a parameter of another type`);
  const message = readMessage(any.bytes(2), known.shape, known.kind);
  return {
    action: known.read(message),
    owner: message.bytes(1),
    permissionId: contract.integer(5),
    expirationMs: raw.integer(8),
  };
}
