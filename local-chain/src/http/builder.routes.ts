import { ContractValidateError } from '../chain/transaction.errors';
import { ChainTransaction } from '../chain/transaction.model';
import { CONTRACT_RULES } from '../contracts/contract.registry';
import type { ContractRule } from '../contracts/contract.rule';
import { bytesOfHex, parseMessage } from '../protobuf/json.parser';
import type { Json, JsonObject } from '../protobuf/json.printer';
import { CONTRACT, RAW, type RawMessage } from '../protobuf/transaction.schema';
import { empty, encode } from '../protobuf/wire.codec';
import { JavaError, type Route, type RouteRequest } from './route.model';
import { printTransaction } from './transaction.printer';

const LIFETIME_MS = 60_000n;

type Owned = { owner_address: Buffer };

const extraData = (data: Json | undefined, visible: boolean): Buffer => {
  if (typeof data !== 'string') return Buffer.alloc(0);
  return visible ? Buffer.from(data, 'utf8') : bytesOfHex(data);
};

/** The node refers to a solid block, so that what it builds is good on every fork. */
function rawOf(request: RouteRequest, rule: ContractRule, message: Owned, feeLimitSun: bigint): RawMessage {
  const { node, sight, json, visible } = request;
  const reference = Buffer.from(node.blocks.find(sight.finalHeight)!.id, 'hex');
  const parameter = {
    type_url: `type.googleapis.com/protocol.${rule.schema.name}`,
    value: encode(rule.schema, message),
  };
  const permissionId = Number(json?.['Permission_id'] ?? 0);
  return {
    ...empty(RAW),
    ref_block_bytes: reference.subarray(6, 8),
    ref_block_hash: reference.subarray(8, 16),
    expiration: BigInt(sight.head.timestamp) + LIFETIME_MS,
    timestamp: BigInt(node.clock.now()),
    data: extraData(json?.['extra_data'], visible),
    fee_limit: feeLimitSun,
    contract: [{ ...empty(CONTRACT), type: rule.type, parameter, Permission_id: permissionId > 0 ? permissionId : 0 }],
  };
}

function build(request: RouteRequest, rule: ContractRule): Json {
  const message = parseMessage(rule.schema, request.json, request.visible);
  try {
    rule.validate(request.view.world, message, true, 0n);
  } catch (error) {
    if (error instanceof ContractValidateError)
      throw new JavaError('org.tron.core.exception.ContractValidateException', error.reason);
    throw error;
  }
  return printUnsigned(request, rule, message);
}

/** A transaction as the node builds one, for somebody else to sign. */
export function printUnsigned(request: RouteRequest, rule: ContractRule, message: Owned, feeLimitSun = 0n): JsonObject {
  const { visible } = request;
  const tx = new ChainTransaction({ raw_data: rawOf(request, rule, message, feeLimitSun), signature: [] });
  return { visible, ...printTransaction(tx, { visible, ret: undefined }) };
}

const SILENT = new Set([
  'createtransaction',
  'votewitnessaccount',
  'withdrawbalance',
  'updateaccount',
  'unfreezebalance',
  'accountpermissionupdate',
  'unfreezebalancev2',
  'withdrawexpireunfreeze',
  'undelegateresource',
]);

const builder = (name: string, type: number): Route => ({
  name,
  postOnly: !SILENT.has(name),
  silentGet: SILENT.has(name),
  answer: (request) => build(request, CONTRACT_RULES.get(type)!),
});

export const builderRoutes: readonly Route[] = [
  builder('createaccount', 0),
  builder('createtransaction', 1),
  builder('votewitnessaccount', 4),
  builder('updateaccount', 10),
  builder('freezebalance', 11),
  builder('unfreezebalance', 12),
  builder('withdrawbalance', 13),
  builder('accountpermissionupdate', 46),
  builder('updateBrokerage', 49),
  builder('freezebalancev2', 54),
  builder('unfreezebalancev2', 55),
  builder('withdrawexpireunfreeze', 56),
  builder('delegateresource', 57),
  builder('undelegateresource', 58),
  builder('cancelallunfreezev2', 59),
];
