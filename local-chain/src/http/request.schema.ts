import { MessageType, field } from '../protobuf/message.schema';

export const ADDRESS_REQUEST = new MessageType<{ address: Buffer }>('protocol.Account', [
  field(1, 'address', 'address'),
]);
export const VALUE_REQUEST = new MessageType<{ value: Buffer }>('protocol.BytesMessage', [field(1, 'value', 'bytes')]);
export const NUMBER_REQUEST = new MessageType<{ num: bigint }>('protocol.NumberMessage', [field(1, 'num', 'int64')]);
export const RANGE_REQUEST = new MessageType<{ startNum: bigint; endNum: bigint }>('protocol.BlockLimit', [
  field(1, 'startNum', 'int64'),
  field(2, 'endNum', 'int64'),
]);
export const BLOCK_REQUEST = new MessageType<{ id_or_num: string; detail: boolean }>('protocol.BlockReq', [
  field(1, 'id_or_num', 'string'),
  field(2, 'detail', 'bool'),
]);
export const PAIR_REQUEST = new MessageType<{ fromAddress: Buffer; toAddress: Buffer }>(
  'protocol.DelegatedResourceMessage',
  [field(1, 'fromAddress', 'address'), field(2, 'toAddress', 'address')],
);
export const MAX_SIZE_REQUEST = new MessageType<{ type: number; owner_address: Buffer }>(
  'protocol.CanDelegatedMaxSizeRequestMessage',
  [field(1, 'type', 'int32'), field(2, 'owner_address', 'address')],
);
const ACCOUNT_IDENTIFIER = new MessageType<{ address: Buffer }>('protocol.AccountIdentifier', [
  field(1, 'address', 'address'),
]);
const BLOCK_IDENTIFIER = new MessageType<{ hash: Buffer; number: bigint }>(
  'protocol.BlockBalanceTrace.BlockIdentifier',
  [field(1, 'hash', 'bytes'), field(2, 'number', 'int64')],
);
export const BALANCE_REQUEST = new MessageType<{
  account_identifier: typeof ACCOUNT_IDENTIFIER.shape | undefined;
  block_identifier: typeof BLOCK_IDENTIFIER.shape | undefined;
}>('protocol.AccountBalanceRequest', [
  field(1, 'account_identifier', ACCOUNT_IDENTIFIER),
  field(2, 'block_identifier', BLOCK_IDENTIFIER),
]);
export const OWNER_REQUEST = new MessageType<{ owner_address: Buffer; timestamp: bigint }>(
  'protocol.CanWithdrawUnfreezeAmountRequestMessage',
  [field(1, 'owner_address', 'address'), field(2, 'timestamp', 'int64')],
);
