import { CONTRACT_RULES } from '../contracts/contract.registry';
import { JsonFormatError, NullAddressError, parseMessage } from '../protobuf/json.parser';
import { CONTRACT_TYPE, TRANSACTION, type TransactionMessage } from '../protobuf/transaction.schema';
import { encode } from '../protobuf/wire.codec';
import { jsonError, nullPointer } from './route.model';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A contract with its value as bytes; undefined when the node would pass over it: a type it does not know, a value that does not fit. */
function packContract(contract: unknown, visible: boolean): unknown {
  if (!isObject(contract) || !isObject(contract['parameter']) || typeof contract['type'] !== 'string') return undefined;
  const rule = CONTRACT_RULES.get(CONTRACT_TYPE.findNumber(contract['type'].trim()) ?? -1);
  if (!rule) return undefined;
  try {
    const message = parseMessage(rule.schema, contract['parameter']['value'], visible);
    return {
      ...contract,
      type: contract['type'].trim(),
      parameter: { ...contract['parameter'], value: encode(rule.schema, message).toString('hex') },
    };
  } catch (error) {
    if (error instanceof JsonFormatError || error instanceof NullAddressError) return undefined;
    throw error;
  }
}

/**
 * A transaction from its JSON, as java-tron's `Util.packTransaction`: `txID` and `raw_data_hex` count for nothing,
 * and one that cannot be read at all ends as a null pointer.
 */
export function packTransaction(json: unknown, visible: boolean): TransactionMessage {
  if (!isObject(json)) throw nullPointer();
  const raw = json['raw_data'];
  if (raw === undefined || raw === null) throw nullPointer();
  if (!isObject(raw)) throw jsonError('can not cast to JSONObject.');
  const contracts = raw['contract'];
  if (contracts === undefined || contracts === null) throw nullPointer();
  if (!Array.isArray(contracts)) throw jsonError('can not cast to JSONArray.');
  const packed = contracts
    .map((contract) => packContract(contract, visible))
    .filter((contract) => contract !== undefined);
  try {
    return parseMessage(
      TRANSACTION,
      { signature: json['signature'] ?? [], raw_data: { ...raw, contract: packed } },
      visible,
    );
  } catch (error) {
    throw error instanceof JsonFormatError ? nullPointer() : error;
  }
}
