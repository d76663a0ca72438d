import { createHash } from 'node:crypto';
import { bytesField, bytesOf, integerField, joinFields, messageField } from './protobuf';

type Json = Readonly<Record<string, unknown>>;

const TRANSACTION_FIELDS = new Set([
  'txID',
  'visible',
  'raw_data',
  'raw_data_hex',
  'signature',
  'ret',
  'contract_address',
]);
const RESULT_FIELDS = new Set(['fee', 'ret', 'contractRet']);
/** protocol.Transaction.Result.code and contractResult. */
const CODES = ['SUCESS', 'FAILED'];
const CONTRACT_RESULTS = [
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
/** Two hashes side by side: a transaction of this length could stand for a pair of others, and hide them. */
const PAIR_BYTES = 64;

/** What a block's transactions hash to, and their ids, computed from their bytes. Null when one of them cannot be encoded. */
export function hashTransactions(transactions: readonly Json[]): { root: string; txIds: string[] } | null {
  const leaves: Buffer[] = [];
  const txIds: string[] = [];
  for (const transaction of transactions) {
    const bytes = encodeTransaction(transaction);
    if (!bytes || bytes.length === PAIR_BYTES) return null;
    leaves.push(sha256(bytes));
    txIds.push(sha256(bytesOf(transaction['raw_data_hex'])!).toString('hex'));
  }
  return { root: merkleRoot(leaves).toString('hex'), txIds };
}

/** Pairs are hashed together, an odd last one is carried up as it is; no leaves give 32 zero bytes. */
function merkleRoot(leaves: readonly Buffer[]): Buffer {
  let level = leaves;
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at]!, level[at + 1]];
      above.push(right ? sha256(Buffer.concat([left, right])) : left);
    }
    level = above;
  }
  return level[0] ?? Buffer.alloc(32);
}

/** protocol.Transaction. The text of `raw_data` is not looked at: `raw_data_hex` has the bytes that were signed. */
function encodeTransaction(transaction: Json): Buffer | null {
  const { raw_data_hex: raw, signature = [], ret = [] } = transaction;
  const rawBytes = bytesOf(raw);
  if (!rawBytes || !isKnown(transaction, TRANSACTION_FIELDS)) return null;
  if (!Array.isArray(signature) || !Array.isArray(ret)) return null;
  return joinFields([
    messageField(1, rawBytes),
    ...signature.map((one: unknown) => listed(2, bytesOf(one))),
    ...ret.map((result: Json) => listed(5, encodeResult(result))),
  ]);
}

function encodeResult(result: Json): Buffer | null {
  if (result === null || typeof result !== 'object' || !isKnown(result, RESULT_FIELDS)) return null;
  const { fee, ret, contractRet } = result;
  return joinFields([integerField(1, fee), enumField(2, CODES, ret), enumField(3, CONTRACT_RESULTS, contractRet)]);
}

function enumField(number: number, names: readonly string[], name: unknown): Buffer | null {
  if (name === undefined) return bytesField(number, undefined);
  const value = names.indexOf(name as string);
  return value < 0 ? null : integerField(number, value);
}

function listed(number: number, bytes: Buffer | null): Buffer | null {
  return bytes && messageField(number, bytes);
}

function isKnown(json: Json, fields: ReadonlySet<string>): boolean {
  return Object.keys(json).every((name) => fields.has(name));
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
