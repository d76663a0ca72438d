import { EnumType, MessageType, field, repeated } from './message.schema';

export interface AnyMessage {
  type_url: string;
  value: Buffer;
}
export const ANY = new MessageType<AnyMessage>('google.protobuf.Any', [
  field(1, 'type_url', 'string'),
  field(2, 'value', 'bytes'),
]);

/** Every contract type java-tron knows by name; the local chain runs those of `contract.schema.ts`. */
export const CONTRACT_TYPE = new EnumType('ContractType', {
  0: 'AccountCreateContract',
  1: 'TransferContract',
  2: 'TransferAssetContract',
  3: 'VoteAssetContract',
  4: 'VoteWitnessContract',
  5: 'WitnessCreateContract',
  6: 'AssetIssueContract',
  8: 'WitnessUpdateContract',
  9: 'ParticipateAssetIssueContract',
  10: 'AccountUpdateContract',
  11: 'FreezeBalanceContract',
  12: 'UnfreezeBalanceContract',
  13: 'WithdrawBalanceContract',
  14: 'UnfreezeAssetContract',
  15: 'UpdateAssetContract',
  16: 'ProposalCreateContract',
  17: 'ProposalApproveContract',
  18: 'ProposalDeleteContract',
  19: 'SetAccountIdContract',
  20: 'CustomContract',
  30: 'CreateSmartContract',
  31: 'TriggerSmartContract',
  32: 'GetContract',
  33: 'UpdateSettingContract',
  41: 'ExchangeCreateContract',
  42: 'ExchangeInjectContract',
  43: 'ExchangeWithdrawContract',
  44: 'ExchangeTransactionContract',
  45: 'UpdateEnergyLimitContract',
  46: 'AccountPermissionUpdateContract',
  48: 'ClearABIContract',
  49: 'UpdateBrokerageContract',
  51: 'ShieldedTransferContract',
  52: 'MarketSellAssetContract',
  53: 'MarketCancelOrderContract',
  54: 'FreezeBalanceV2Contract',
  55: 'UnfreezeBalanceV2Contract',
  56: 'WithdrawExpireUnfreezeContract',
  57: 'DelegateResourceContract',
  58: 'UnDelegateResourceContract',
  59: 'CancelAllUnfreezeV2Contract',
});

export interface ContractMessage {
  type: number;
  parameter: AnyMessage | undefined;
  provider: Buffer;
  ContractName: Buffer;
  Permission_id: number;
}
export const CONTRACT = new MessageType<ContractMessage>('protocol.Transaction.Contract', [
  field(1, 'type', CONTRACT_TYPE),
  field(2, 'parameter', ANY),
  field(3, 'provider', 'bytes'),
  field(4, 'ContractName', 'bytes'),
  field(5, 'Permission_id', 'int32'),
]);

export interface RawMessage {
  ref_block_bytes: Buffer;
  ref_block_num: bigint;
  ref_block_hash: Buffer;
  expiration: bigint;
  data: Buffer;
  contract: ContractMessage[];
  scripts: Buffer;
  timestamp: bigint;
  fee_limit: bigint;
}
export const RAW = new MessageType<RawMessage>('protocol.Transaction.raw', [
  field(1, 'ref_block_bytes', 'bytes'),
  field(3, 'ref_block_num', 'int64'),
  field(4, 'ref_block_hash', 'bytes'),
  field(8, 'expiration', 'int64'),
  field(10, 'data', 'bytes'),
  repeated(11, 'contract', CONTRACT),
  field(12, 'scripts', 'bytes'),
  field(14, 'timestamp', 'int64'),
  field(18, 'fee_limit', 'int64'),
]);

export interface TransactionMessage {
  raw_data: RawMessage | undefined;
  signature: Buffer[];
}
export const TRANSACTION = new MessageType<TransactionMessage>('protocol.Transaction', [
  field(1, 'raw_data', RAW),
  repeated(2, 'signature', 'bytes'),
]);

export interface ResultMessage {
  fee: bigint;
  contractRet: number;
}
const RESULT = new MessageType<ResultMessage>('protocol.Transaction.Result', [
  field(1, 'fee', 'int64'),
  field(3, 'contractRet', 'int32'),
]);
/** What a block adds to a transaction's bytes: fields after those of `TRANSACTION`. */
export const TRANSACTION_RESULT = new MessageType<{ ret: ResultMessage[] }>('protocol.Transaction', [
  repeated(5, 'ret', RESULT),
]);

export interface HeaderRawMessage {
  timestamp: bigint;
  txTrieRoot: Buffer;
  parentHash: Buffer;
  number: bigint;
  witness_address: Buffer;
  version: number;
}
export const HEADER_RAW = new MessageType<HeaderRawMessage>('protocol.BlockHeader.raw', [
  field(1, 'timestamp', 'int64'),
  field(2, 'txTrieRoot', 'bytes'),
  field(3, 'parentHash', 'bytes'),
  field(7, 'number', 'int64'),
  field(9, 'witness_address', 'address'),
  field(10, 'version', 'int32'),
]);
