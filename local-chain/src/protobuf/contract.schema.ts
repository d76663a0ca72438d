import { EnumType, MessageType, field, repeated } from './message.schema';

export const RESOURCE_CODE = new EnumType('ResourceCode', { 0: 'BANDWIDTH', 1: 'ENERGY', 2: 'TRON_POWER' });
export const ACCOUNT_TYPE = new EnumType('AccountType', { 0: 'Normal', 1: 'AssetIssue', 2: 'Contract' });
export const PERMISSION_TYPE = new EnumType('PermissionType', { 0: 'Owner', 1: 'Witness', 2: 'Active' });

interface Owned {
  owner_address: Buffer;
}
const owner = (number = 1) => field(number, 'owner_address', 'address');

export interface KeyMessage {
  address: Buffer;
  weight: bigint;
}
const KEY = new MessageType<KeyMessage>('protocol.Key', [field(1, 'address', 'address'), field(2, 'weight', 'int64')]);

export interface PermissionMessage {
  type: number;
  id: number;
  permission_name: string;
  threshold: bigint;
  parent_id: number;
  operations: Buffer;
  keys: KeyMessage[];
}
export const PERMISSION = new MessageType<PermissionMessage>('protocol.Permission', [
  field(1, 'type', PERMISSION_TYPE),
  field(2, 'id', 'int32'),
  field(3, 'permission_name', 'string'),
  field(4, 'threshold', 'int64'),
  field(5, 'parent_id', 'int32'),
  field(6, 'operations', 'bytes'),
  repeated(7, 'keys', KEY),
]);

export interface TriggerMessage extends Owned {
  contract_address: Buffer;
  call_value: bigint;
  data: Buffer;
  call_token_value: bigint;
  token_id: bigint;
}
export const TRIGGER_CONTRACT = new MessageType<TriggerMessage>('TriggerSmartContract', [
  owner(),
  field(2, 'contract_address', 'address'),
  field(3, 'call_value', 'int64'),
  field(4, 'data', 'bytes'),
  field(5, 'call_token_value', 'int64'),
  field(6, 'token_id', 'int64'),
]);

export interface TransferMessage extends Owned {
  to_address: Buffer;
  amount: bigint;
}
export interface AccountCreateMessage extends Owned {
  account_address: Buffer;
  type: number;
}
export interface AccountUpdateMessage extends Owned {
  account_name: Buffer;
}
export interface PermissionUpdateMessage extends Owned {
  owner: PermissionMessage | undefined;
  witness: PermissionMessage | undefined;
  actives: PermissionMessage[];
}
export interface FreezeMessage extends Owned {
  frozen_balance: bigint;
  resource: number;
}
export interface UnfreezeMessage extends Owned {
  unfreeze_balance: bigint;
  resource: number;
}
export type OwnerOnlyMessage = Owned;
export interface VoteMessage {
  vote_address: Buffer;
  vote_count: bigint;
}
export interface VoteWitnessMessage extends Owned {
  votes: VoteMessage[];
  support: boolean;
}
export interface UpdateBrokerageMessage extends Owned {
  brokerage: number;
}
export interface UndelegateMessage extends Owned {
  resource: number;
  balance: bigint;
  receiver_address: Buffer;
}
export interface DelegateMessage extends UndelegateMessage {
  lock: boolean;
  lock_period: bigint;
}

export const TRANSFER = new MessageType<TransferMessage>('TransferContract', [
  owner(),
  field(2, 'to_address', 'address'),
  field(3, 'amount', 'int64'),
]);
export const ACCOUNT_CREATE = new MessageType<AccountCreateMessage>('AccountCreateContract', [
  owner(),
  field(2, 'account_address', 'address'),
  field(3, 'type', ACCOUNT_TYPE),
]);
export const ACCOUNT_UPDATE = new MessageType<AccountUpdateMessage>('AccountUpdateContract', [
  field(1, 'account_name', 'text'),
  owner(2),
]);
export const PERMISSION_UPDATE = new MessageType<PermissionUpdateMessage>('AccountPermissionUpdateContract', [
  owner(),
  field(2, 'owner', PERMISSION),
  field(3, 'witness', PERMISSION),
  repeated(4, 'actives', PERMISSION),
]);
export const FREEZE = new MessageType<FreezeMessage>('FreezeBalanceV2Contract', [
  owner(),
  field(2, 'frozen_balance', 'int64'),
  field(3, 'resource', RESOURCE_CODE),
]);
export const UNFREEZE = new MessageType<UnfreezeMessage>('UnfreezeBalanceV2Contract', [
  owner(),
  field(2, 'unfreeze_balance', 'int64'),
  field(3, 'resource', RESOURCE_CODE),
]);
export const WITHDRAW_UNFREEZE = new MessageType<OwnerOnlyMessage>('WithdrawExpireUnfreezeContract', [owner()]);
export const CANCEL_UNFREEZE = new MessageType<OwnerOnlyMessage>('CancelAllUnfreezeV2Contract', [owner()]);
const VOTE = new MessageType<VoteMessage>('VoteWitnessContract.Vote', [
  field(1, 'vote_address', 'address'),
  field(2, 'vote_count', 'int64'),
]);
export const VOTE_WITNESS = new MessageType<VoteWitnessMessage>('VoteWitnessContract', [
  owner(),
  repeated(2, 'votes', VOTE),
  field(3, 'support', 'bool'),
]);
export const WITHDRAW_BALANCE = new MessageType<OwnerOnlyMessage>('WithdrawBalanceContract', [owner()]);
export const UPDATE_BROKERAGE = new MessageType<UpdateBrokerageMessage>('UpdateBrokerageContract', [
  owner(),
  field(2, 'brokerage', 'int32'),
]);
const delegation = [
  owner(),
  field(2, 'resource', RESOURCE_CODE),
  field(3, 'balance', 'int64'),
  field(4, 'receiver_address', 'address'),
];
export const DELEGATE = new MessageType<DelegateMessage>('DelegateResourceContract', [
  ...delegation,
  field(5, 'lock', 'bool'),
  field(6, 'lock_period', 'int64'),
]);
export const UNDELEGATE = new MessageType<UndelegateMessage>('UnDelegateResourceContract', delegation);

export interface OldUnfreezeMessage extends Owned {
  resource: number;
  receiver_address: Buffer;
}
export interface OldFreezeMessage extends OldUnfreezeMessage {
  frozen_balance: bigint;
  frozen_duration: bigint;
}
const oldStake = [owner(), field(10, 'resource', RESOURCE_CODE), field(15, 'receiver_address', 'address')];
export const OLD_FREEZE = new MessageType<OldFreezeMessage>('FreezeBalanceContract', [
  ...oldStake,
  field(2, 'frozen_balance', 'int64'),
  field(3, 'frozen_duration', 'int64'),
]);
export const OLD_UNFREEZE = new MessageType<OldUnfreezeMessage>('UnfreezeBalanceContract', oldStake);
