/** Fields of a protobuf message by number. A message that has any other, or one twice, is none of ours. */
type Fields = Readonly<Record<number, 'integer' | 'bytes'>>;
type Message = ReadonlyMap<number, bigint | Buffer>;

/** The bytes are no transaction of a kind that this service makes. */
export class UnreadableRawDataError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadableRawDataError';
  }
}

/** Everything that signed bytes of ours can say. */
export interface RawData {
  /** protocol.Transaction.Contract.ContractType */
  readonly contractType: bigint;
  readonly typeUrl: string;
  readonly permissionId: bigint;
  /** `41…` in small hex. */
  readonly owner: string;
  readonly receiver: string;
  readonly amountSun: bigint;
  /** 1 is energy; null where the contract has none. */
  readonly resource: bigint | null;
  readonly refBlockBytes: string;
  readonly refBlockHash: string;
  readonly expirationMs: bigint;
  readonly timestampMs: bigint;
}

export const TRANSFER_CONTRACT = 1n;
export const DELEGATE_CONTRACT = 57n;
export const UNDELEGATE_CONTRACT = 58n;

/** protocol.Transaction.raw without auths, data, scripts and fee limit; its one contract without provider and name. */
const RAW: Fields = { 1: 'bytes', 4: 'bytes', 8: 'integer', 11: 'bytes', 14: 'integer' };
const CONTRACT: Fields = { 1: 'integer', 2: 'bytes', 5: 'integer' };
const ANY: Fields = { 1: 'bytes', 2: 'bytes' };
const TRANSFER: Fields = { 1: 'bytes', 2: 'bytes', 3: 'integer' };
/** The fields of delegating and undelegating alike; lock and lock period of a delegation are refused. */
const RESOURCE: Fields = { 1: 'bytes', 2: 'integer', 3: 'integer', 4: 'bytes' };

/**
 * Reads what the network will read, with no help of what built it. Strict: a field that is not known, comes twice or is of another type,
 * bytes left over, or a number in more bytes than it needs are refused, so that nothing can be in them that is not looked at.
 * @throws UnreadableRawDataError
 */
export function readRawData(bytes: Buffer): RawData {
  const raw = readMessage(bytes, RAW);
  const contract = readMessage(bytesAt(raw, 11), CONTRACT);
  const contractType = integerAt(contract, 1);
  const any = readMessage(bytesAt(contract, 2), ANY);
  const isTransfer = contractType === TRANSFER_CONTRACT;
  if (!isTransfer && contractType !== DELEGATE_CONTRACT && contractType !== UNDELEGATE_CONTRACT)
    throw new UnreadableRawDataError(`contract type ${contractType}`);
  const value = readMessage(bytesAt(any, 2), isTransfer ? TRANSFER : RESOURCE);
  return {
    contractType,
    typeUrl: bytesAt(any, 1).toString('utf8'),
    permissionId: integerAt(contract, 5),
    owner: bytesAt(value, 1).toString('hex'),
    receiver: bytesAt(value, isTransfer ? 2 : 4).toString('hex'),
    amountSun: integerAt(value, 3),
    resource: isTransfer ? null : integerAt(value, 2),
    refBlockBytes: bytesAt(raw, 1).toString('hex'),
    refBlockHash: bytesAt(raw, 4).toString('hex'),
    expirationMs: integerAt(raw, 8),
    timestampMs: integerAt(raw, 14),
  };
}

function readMessage(bytes: Buffer, fields: Fields): Message {
  const message = new Map<number, bigint | Buffer>();
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
    const type = ({ 0: 'integer', 2: 'bytes' } as const)[tag & 7];
    if (type === undefined || fields[number] !== type || message.has(number))
      throw new UnreadableRawDataError(`field ${number} of wire type ${tag & 7}`);
    if (type === 'integer') {
      message.set(number, varint());
      continue;
    }
    const length = Number(varint());
    if (length < 0 || at + length > bytes.length) throw new UnreadableRawDataError('cut short');
    message.set(number, bytes.subarray(at, (at += length)));
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
