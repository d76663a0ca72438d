import { readFields } from './protobuf';

type Fields = NonNullable<ReturnType<typeof readFields>>;

/** What a transaction does: its type (protocol.Transaction.Contract.ContractType), and the fields of that contract's own message. */
export interface Contract {
  readonly type: bigint | Buffer | undefined;
  readonly fields: Fields;
}

/** By the bytes that were signed (protocol.Transaction.raw). Null unless they hold exactly one: the network takes no others. */
export function contractIn(raw: Buffer): Contract | null {
  const contracts = readFields(raw)?.get(11);
  const contract = contracts?.length === 1 ? message(contracts[0]) : null;
  // google.protobuf.Any: its value is the contract's own message.
  const any = contract && message(lastOf(contract, 2));
  const fields = any && message(lastOf(any, 2));
  return fields && { type: lastOf(contract, 1), fields };
}

/** When a field comes twice, the network takes the last value. */
export function lastOf(fields: Fields, number: number): bigint | Buffer | undefined {
  return fields.get(number)?.at(-1);
}

function message(value: bigint | Buffer | undefined): Fields | null {
  return Buffer.isBuffer(value) ? readFields(value) : null;
}
