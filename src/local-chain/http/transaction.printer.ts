import type { ChainTransaction } from '../chain/transaction.model';
import type { IncludedTransaction } from '../chain/transaction.receipt';
import { printMessage, type JsonObject } from '../protobuf/json.printer';
import { CONTRACT_TYPE, RAW } from '../protobuf/transaction.schema';
import { compact } from './compact.json';

/** Whether `ret` is shown: every transaction that was run has one, unsigned and genesis ones have none. */
export interface Shown {
  visible: boolean;
  ret: boolean;
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
    ...(ret ? { ret: [{ contractRet: 'SUCCESS' }] } : {}),
    ...compact({ signature: tx.signed.signature.map((signature) => signature.toString('hex')) }),
    txID: tx.id,
    raw_data: { contract: printContract(tx, visible), ...raw },
    raw_data_hex: tx.rawBytes.toString('hex'),
  };
}

/** The node prints a Java map: in the order of its hash table, zeros too. */
const cancelled = ({ net, energy }: { net: bigint; energy: bigint }): JsonObject[] => [
  { key: 'ENERGY', value: energy },
  { key: 'TRON_POWER', value: 0 },
  { key: 'BANDWIDTH', value: net },
];

export function printInfo({ id, height, receipt }: IncludedTransaction, timestamp: number): JsonObject {
  return {
    id,
    ...compact({ fee: receipt.feeSun }),
    blockNumber: height,
    blockTimeStamp: timestamp,
    contractResult: [''],
    receipt: compact({ net_usage: receipt.netUsed, net_fee: receipt.netFeeSun }),
    ...compact({ withdraw_expire_amount: receipt.withdrawnSun }),
    ...(receipt.cancelledSun ? { cancel_unfreezeV2_amount: cancelled(receipt.cancelledSun) } : {}),
  };
}
