import { utils } from 'tronweb';

/** A field of a message: a number, or bytes (of a message, too). */
export type Field = readonly [number: number, value: bigint | Buffer];

export function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    if (rest <= 0x7fn) return Buffer.from(bytes);
  }
}

/** In the order in which the fields are given, defaults too. */
export function message(...fields: Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'bigint') return [varint(BigInt(number * 8)), varint(value)];
      return [varint(BigInt(number * 8 + 2)), varint(BigInt(value.length)), value];
    }),
  );
}

export const hexAddress = (address: string): Buffer => Buffer.from(utils.address.toHex(address), 'hex');

/** The contracts of TRON, java-tron 4.8, by their numbers. */
export const CONTRACT_NAMES: Readonly<Record<number, string>> = {
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
};

export interface Parts {
  readonly type: number;
  readonly value: Buffer;
  readonly permissionId?: bigint;
  readonly expirationMs?: number;
  readonly typeUrl?: string;
}

export function contractOf({ type, value, permissionId = 0n, typeUrl }: Parts): Buffer {
  const url = typeUrl ?? `type.googleapis.com/protocol.${CONTRACT_NAMES[type] ?? 'MadeUpContract'}`;
  return message(
    ...(type > 0 ? [[1, BigInt(type)] as Field] : []),
    [2, message([1, Buffer.from(url)], [2, value])],
    ...(permissionId === 0n ? [] : [[5, permissionId] as Field]),
  );
}

let timestamp = BigInt(Date.now());

/** `raw_data` as libraries write it, another one each time. */
export function rawData(parts: Parts, more: { before?: readonly Field[]; after?: readonly Field[] } = {}): Buffer {
  return message(
    [1, Buffer.from('ab12', 'hex')],
    [4, Buffer.from('0123456789abcdef', 'hex')],
    [8, BigInt(parts.expirationMs ?? Date.now() + 60_000)],
    ...(more.before ?? []),
    [11, contractOf(parts)],
    ...(more.after ?? []),
    [14, timestamp++],
  );
}

export interface Lent {
  readonly owner: string;
  readonly receiver: string;
  readonly sun?: bigint;
  readonly resource?: bigint;
  readonly lock?: bigint;
  readonly lockPeriod?: bigint;
}

const unlessZero = (number: number, value: bigint): Field[] => (value === 0n ? [] : [[number, value]]);

/** Type 57, or with `type` 58 what takes it back. */
export function delegation(
  { owner, receiver, sun = 1_000_000n, resource = 1n, lock = 0n, lockPeriod = 0n }: Lent,
  parts: Partial<Parts> = {},
): Buffer {
  const value = message(
    [1, hexAddress(owner)],
    ...unlessZero(2, resource),
    ...unlessZero(3, sun),
    [4, hexAddress(receiver)],
    ...unlessZero(5, lock),
    ...unlessZero(6, lockPeriod),
  );
  return rawData({ type: 57, value, ...parts });
}

export function transfer(owner: string, receiver: string, sun: bigint, parts: Partial<Parts> = {}): Buffer {
  const value = message([1, hexAddress(owner)], [2, hexAddress(receiver)], ...unlessZero(3, sun));
  return rawData({ type: 1, value, ...parts });
}
