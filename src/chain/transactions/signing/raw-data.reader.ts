import { type Contract, type ContractFields, RESOURCES, type ContractValues } from '../kinds/contract';

/** Fields of a protobuf message by number. A message that has any other is none of ours, and so is one in which a field comes twice that holds one value. */
type Wire = Readonly<Record<number, 'integer' | 'bytes' | 'list'>>;
type Message = ReadonlyMap<number, bigint | Buffer | readonly Buffer[]>;

/** The bytes are no transaction of a kind that this service makes. */
export class UnreadableRawDataError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadableRawDataError';
  }
}

/** Everything that signed bytes of ours can say. */
export interface RawData {
  readonly typeUrl: string;
  readonly permissionId: bigint;
  /** Addresses as lower-case hex. */
  readonly values: ContractValues;
  readonly refBlockBytes: string;
  readonly refBlockHash: string;
  readonly expirationMs: bigint;
  readonly timestampMs: bigint;
}

/** protocol.Transaction.raw without auths, data and scripts; its one contract without provider and name. */
const RAW: Wire = { 1: 'bytes', 4: 'bytes', 8: 'integer', 11: 'bytes', 14: 'integer' };
const FEE_LIMIT = 18;
const CONTRACT: Wire = { 1: 'integer', 2: 'bytes', 5: 'integer' };
const ANY: Wire = { 1: 'bytes', 2: 'bytes' };

/**
 * Reads what the network will read, with no help of what built it. Strict: a field that the contract's table does not have, that comes
 * twice or is of another type (lock and lock period of a delegation), bytes left over, or a number in more bytes than it needs are
 * refused, so that nothing can be in them that is not looked at. So is another fee limit than the contract's.
 * @throws UnreadableRawDataError
 */
export function readRawData(bytes: Buffer, { type, fields, feeLimitSun }: Contract): RawData {
  const raw = readMessage(bytes, feeLimitSun === undefined ? RAW : { ...RAW, [FEE_LIMIT]: 'integer' });
  const feeLimit = integerAt(raw, FEE_LIMIT);
  if (feeLimit !== (feeLimitSun ?? 0n)) throw new UnreadableRawDataError(`fee limit ${feeLimit}`);
  const contract = readMessage(bytesAt(raw, 11), CONTRACT);
  const contractType = integerAt(contract, 1);
  const any = readMessage(bytesAt(contract, 2), ANY);
  if (contractType !== type) throw new UnreadableRawDataError(`contract type ${contractType}`);
  return {
    typeUrl: bytesAt(any, 1).toString('utf8'),
    permissionId: integerAt(contract, 5),
    values: readValues(bytesAt(any, 2), fields),
    refBlockBytes: bytesAt(raw, 1).toString('hex'),
    refBlockHash: bytesAt(raw, 4).toString('hex'),
    expirationMs: integerAt(raw, 8),
    timestampMs: integerAt(raw, 14),
  };
}

function readValues(bytes: Buffer, fields: ContractFields): ContractValues {
  const wire = Object.values(fields).map(([number, type]) => [number, wireOf(type)] as const);
  const message = readMessage(bytes, Object.fromEntries(wire));
  return Object.fromEntries(
    Object.entries(fields).map(([name, [number, type]]) => [name, valueAt(message, number, type)]),
  );
}

function wireOf(type: ContractFields[string][1]): Wire[number] {
  if (typeof type !== 'string') return 'list';
  return type === 'address' || type === 'bytes' ? 'bytes' : 'integer';
}

function valueAt(message: Message, number: number, type: ContractFields[string][1]): ContractValues[string] {
  if (type === 'address' || type === 'bytes') return bytesAt(message, number).toString('hex');
  if (type === 'integer') return integerAt(message, number);
  if (type === 'resource') return RESOURCES[Number(integerAt(message, number))] ?? 'another resource';
  const list = (message.get(number) as readonly Buffer[] | undefined) ?? [];
  return list.map((bytes) => readValues(bytes, type));
}

function readMessage(bytes: Buffer, fields: Wire): Message {
  const message = new Map<number, bigint | Buffer | Buffer[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new UnreadableRawDataError('cut short');
      // All but one bit of the tenth byte lie beyond 64; other readers drop them.
      if (shift === 63n && byte > 1) throw new UnreadableRawDataError('a number of more than 64 bits');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      if (byte === 0 && shift > 0n) throw new UnreadableRawDataError('a number in more bytes than it needs');
      return BigInt.asIntN(64, value);
    }
    throw new UnreadableRawDataError('a number that never ends');
  };
  const tagOf32Bits = (): number => {
    const tag = varint();
    if (tag < 0n || tag > 0xffffffffn) throw new UnreadableRawDataError('a tag of more than 32 bits');
    return Number(tag);
  };
  while (at < bytes.length) {
    const tag = tagOf32Bits();
    const number = tag >>> 3;
    const type = fields[number];
    const wireType = type === 'integer' ? 0 : 2;
    if (type === undefined || wireType !== (tag & 7) || (message.has(number) && type !== 'list'))
      throw new UnreadableRawDataError(`field ${number} of wire type ${tag & 7}`);
    if (type === 'integer') {
      message.set(number, varint());
      continue;
    }
    const length = Number(varint());
    if (length < 0 || at + length > bytes.length) throw new UnreadableRawDataError('cut short');
    const part = bytes.subarray(at, (at += length));
    message.set(number, type === 'list' ? [...((message.get(number) as Buffer[] | undefined) ?? []), part] : part);
  }
  return message;
}

/** Zero when it is left out, as proto3 has it. */
function integerAt(message: Message, number: number): bigint {
  return (message.get(number) as bigint | undefined) ?? 0n;
}

function bytesAt(message: Message, number: number): Buffer {
  return (message.get(number) as Buffer | undefined) ?? Buffer.alloc(0);
}
