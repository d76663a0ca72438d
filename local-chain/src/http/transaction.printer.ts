import { ChainTransaction } from '../chain/transaction.model';
import {
  type CallReceipt,
  type CallResult,
  type CancelledSun,
  type IncludedTransaction,
  resultOf,
} from '../chain/transaction.receipt';
import { printMessage, type JsonObject } from '../protobuf/json.printer';
import { POST_QUANTUM_SIGNATURE } from '../protobuf/post-quantum.schema';
import { CONTRACT_TYPE, RAW } from '../protobuf/transaction.schema';
import { sha256 } from '../signing/hash';
import type { InternalCall } from '../token/contract.program';
import { compact } from './compact.json';

/** Every transaction that was run has a result, unsigned and genesis ones have none. */
export interface Shown {
  visible: boolean;
  ret: CallResult | undefined;
}

function printContract(tx: ChainTransaction, visible: boolean): JsonObject[] {
  const contract = tx.raw.contract[0];
  if (!contract || !tx.rule || !tx.message) return [];
  const parameter = {
    value: printMessage(tx.rule.schema, tx.message, visible),
    type_url: contract.parameter!.type_url,
  };
  const type = CONTRACT_TYPE.findName(contract.type)!;
  return [{ parameter, type, ...(contract.Permission_id > 0 ? { Permission_id: contract.Permission_id } : {}) }];
}

export function printTransaction(tx: ChainTransaction, { visible, ret }: Shown): JsonObject {
  const { contract: _printedBelow, ...raw } = printMessage(RAW, tx.raw, visible);
  return {
    ...(ret ? { ret: [{ contractRet: ret }] } : {}),
    ...compact({ signature: tx.signed.signature.map((signature) => signature.toString('hex')) }),
    ...compact({ pq_auth_sig: tx.postQuantum.map((one) => printMessage(POST_QUANTUM_SIGNATURE, one, visible)) }),
    txID: tx.id,
    raw_data: { contract: printContract(tx, visible), ...raw },
    raw_data_hex: tx.rawBytes.toString('hex'),
  };
}

/** The node prints a Java map: in the order of its hash table, zeros too. */
const cancelled = ({ net, energy, power }: CancelledSun): JsonObject[] => [
  { key: 'ENERGY', value: energy },
  { key: 'TRON_POWER', value: power },
  { key: 'BANDWIDTH', value: net },
];

/** As a block has it, or would have it. */
export const printIncluded = (included: IncludedTransaction, visible: boolean): JsonObject =>
  printTransaction(ChainTransaction.restore(included.bytes), {
    visible,
    ret: included.height > 0 ? resultOf(included.receipt) : undefined,
  });

const energyOf = ({ stakedUnits, energyFeeSun, energyUnits, penaltyUnits, result }: CallReceipt): JsonObject => ({
  ...compact({ energy_usage: stakedUnits, energy_fee: energyFeeSun, energy_usage_total: energyUnits }),
  result,
  ...compact({ energy_penalty_total: penaltyUnits }),
});

const callOf = ({ contract, failure, logs }: CallReceipt): JsonObject => ({
  contract_address: contract,
  ...(failure ? { result: 'FAILED', resMessage: Buffer.from(failure).toString('hex') } : {}),
  ...compact({ log: logs.map((log) => ({ ...log })) }),
});

/** The hash names the call within its transaction: of the right form, and not the node's. */
const internalOf = (txId: string, { caller, to, valueSun, rejected }: InternalCall, at: number): JsonObject => ({
  hash: sha256(Buffer.from(`${txId}${at}`)).toString('hex'),
  caller_address: caller,
  transferTo_address: to,
  callValueInfo: [compact({ callValue: valueSun })],
  note: Buffer.from('call').toString('hex'),
  ...(rejected ? { rejected } : {}),
});

export function printInfo({ id, height, receipt }: IncludedTransaction, timestamp: number): JsonObject {
  const { call } = receipt;
  return {
    id,
    ...compact({ fee: receipt.feeSun }),
    blockNumber: height,
    blockTimeStamp: timestamp,
    contractResult: [call?.output ?? ''],
    ...(call ? callOf(call) : {}),
    receipt: {
      ...compact({ net_usage: receipt.netUsed, net_fee: receipt.netFeeSun }),
      ...(call ? energyOf(call) : {}),
    },
    ...compact({ withdraw_amount: receipt.rewardedSun, withdraw_expire_amount: receipt.withdrawnSun }),
    ...compact({ internal_transactions: (call?.internal ?? []).map((one, at) => internalOf(id, one, at)) }),
    ...(receipt.cancelledSun ? { cancel_unfreezeV2_amount: cancelled(receipt.cancelledSun) } : {}),
  };
}
