import { toHexAddress } from '../../tron/addresses';

/** A field's number in its message, and what it holds: one value, or a list of messages with fields of their own. */
export interface ContractFields {
  readonly [name: string]: readonly [
    number: number,
    type: 'address' | 'bytes' | 'integer' | 'resource' | ContractFields,
  ];
}

/** Addresses as base58check, bytes as lower-case hex, integers as bigint, a resource by its name. */
export interface ContractValues {
  readonly [name: string]: string | bigint | readonly ContractValues[];
}

/** A contract of TRON: protocol.Transaction.Contract.ContractType, its message's name, and every field that we set, as nodes name them. */
export interface Contract {
  readonly type: bigint;
  readonly name: string;
  readonly fields: ContractFields;
  /** The fee limit of all its transactions, for a contract that has one. */
  readonly feeLimitSun?: bigint;
}

/** protocol.ResourceCode */
export const RESOURCES = ['BANDWIDTH', 'ENERGY', 'TRON_POWER'] as const;

/** With addresses in lower-case hex. */
export function inHex(values: ContractValues, fields: ContractFields): ContractValues {
  const hex = mapValues(values, fields, (value, type) => (type === 'address' ? toHexAddress(String(value)) : value));
  return hex as ContractValues;
}

/** As tronweb and nodes take them. */
export function jsonOf(values: ContractValues, fields: ContractFields): object {
  return mapValues(values, fields, (value) => (typeof value === 'bigint' ? exactNumber(value) : value));
}

type Simple = string | number | bigint;

/** Lists in it are mapped too. */
function mapValues(
  values: ContractValues,
  fields: ContractFields,
  map: (value: string | bigint, type: string) => Simple,
): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, [, type]]) => {
      const value = values[name];
      if (typeof type === 'string') return [name, map(value as string | bigint, type)];
      return [name, (value as readonly ContractValues[]).map((one) => mapValues(one, type, map))];
    }),
  );
}

/** tronweb takes numbers; a stake beyond their exact range (9 billion TRX) is refused, not rounded. */
function exactNumber(sun: bigint): number {
  const value = Number(sun);
  if (!Number.isSafeInteger(value)) throw new Error(`${sun} is beyond what a transaction builder takes exactly`);
  return value;
}
