import { postQuantumBytes } from './post-quantum';
import {
  bytesField,
  bytesOf,
  enumField,
  integerField,
  joinFields,
  listField,
  messageField,
  textField,
} from './protobuf';

type Json = Readonly<Record<string, unknown>>;
type Encode = (number: number, value: unknown) => Buffer | null;

const TRANSACTION_FIELDS = [
  'txID',
  'visible',
  'raw_data',
  'raw_data_hex',
  'signature',
  'pq_auth_sig',
  'ret',
  'contract_address',
];
/** protocol.Transaction.Result.code and contractResult. */
const CODES = ['SUCESS', 'FAILED'];
export const CONTRACT_RESULTS: readonly string[] = [
  'DEFAULT',
  'SUCCESS',
  'REVERT',
  'BAD_JUMP_DESTINATION',
  'OUT_OF_MEMORY',
  'PRECOMPILED_CONTRACT',
  'STACK_TOO_SMALL',
  'STACK_TOO_LARGE',
  'ILLEGAL_OPERATION',
  'STACK_OVERFLOW',
  'OUT_OF_ENERGY',
  'OUT_OF_TIME',
  'JVM_STACK_OVER_FLOW',
  'UNKNOWN',
  'TRANSFER_FAILED',
  'INVALID_CODE',
];

/** protocol.MarketOrderDetail */
const ORDER_DETAIL = [
  [1, 'makerOrderId', bytesField],
  [2, 'takerOrderId', bytesField],
  [3, 'fillSellQuantity', integerField],
  [4, 'fillBuyQuantity', integerField],
] as const;

/** protocol.Transaction.Result, whole: nodes have only ever put `fee` and `contractRet` into blocks, but may put in any. */
const RESULT = [
  [1, 'fee', integerField],
  [2, 'ret', (number, value) => enumField(number, CODES, value)],
  [3, 'contractRet', (number, value) => enumField(number, CONTRACT_RESULTS, value)],
  [14, 'assetIssueID', textField],
  [15, 'withdraw_amount', integerField],
  [16, 'unfreeze_amount', integerField],
  [18, 'exchange_received_amount', integerField],
  [19, 'exchange_inject_another_amount', integerField],
  [20, 'exchange_withdraw_another_amount', integerField],
  [21, 'exchange_id', integerField],
  [22, 'shielded_transaction_fee', integerField],
  [25, 'orderId', bytesField],
  [26, 'orderDetails', (number, value) => listField(number, value, (one) => message(ORDER_DETAIL, one))],
  [27, 'withdraw_expire_amount', integerField],
  [28, 'cancel_unfreezeV2_amount', (number, value) => listField(number, value, mapEntry)],
] as const satisfies readonly (readonly [number, string, Encode])[];

/**
 * What follows the signed bytes in protocol.Transaction, as a block has it: signatures, results, post-quantum signatures. Null when it has
 * anything that cannot be encoded.
 */
export function transactionTail(transaction: Json): Buffer | null {
  if (!isKnown(transaction, TRANSACTION_FIELDS)) return null;
  const { signature, ret, pq_auth_sig: postQuantum } = transaction;
  return joinFields([
    listField(2, signature, bytesOf),
    listField(5, ret, (result) => message(RESULT, result)),
    listField(6, postQuantum, postQuantumBytes),
  ]);
}

function message(fields: readonly (readonly [number, string, Encode])[], value: unknown): Buffer | null {
  if (value === null || typeof value !== 'object') return null;
  const json = value as Json;
  const names = fields.map(([, name]) => name);
  return isKnown(json, names) ? joinFields(fields.map(([number, name, encode]) => encode(number, json[name]))) : null;
}

/** An entry of a map, as nodes list it: both fields are there, whatever their values. */
function mapEntry(entry: unknown): Buffer | null {
  if (entry === null || typeof entry !== 'object' || !isKnown(entry as Json, ['key', 'value'])) return null;
  const { key = '', value = 0 } = entry as Json;
  if (typeof key !== 'string') return null;
  const amount = value === 0 || value === 0n ? Buffer.from([2 << 3, 0]) : integerField(2, value);
  return amount && Buffer.concat([messageField(1, Buffer.from(key, 'utf8')), amount]);
}

function isKnown(json: Json, fields: readonly string[]): boolean {
  return Object.keys(json).every((name) => fields.includes(name));
}
