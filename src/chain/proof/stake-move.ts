import { readFields } from './protobuf';

/** Energy stake that a transaction lends, or takes back. Addresses are `41…` in hex. */
export interface StakeMove {
  readonly owner: string;
  readonly receiver: string;
  readonly isLent: boolean;
  readonly sun: bigint;
}

/** protocol.Transaction.Contract.ContractType */
const DELEGATE_RESOURCE = 57n;
const UNDELEGATE_RESOURCE = 58n;
/** protocol.ResourceCode */
const ENERGY = 1n;

/** By the bytes of protocol.Transaction.raw, whoever made them: in a block it has succeeded. Null for anything else. */
export function readStakeMove(raw: Buffer): StakeMove | null {
  const contract = messageIn(readFields(raw), 11);
  const type = last(contract, 1);
  if (type !== DELEGATE_RESOURCE && type !== UNDELEGATE_RESOURCE) return null;
  // google.protobuf.Any: its value is the contract's own message.
  const moved = messageIn(messageIn(contract, 2), 2);
  const [owner, resource, sun, receiver] = [1, 2, 3, 4].map((number) => last(moved, number));
  if (resource !== ENERGY || typeof sun !== 'bigint' || !Buffer.isBuffer(owner) || !Buffer.isBuffer(receiver))
    return null;
  return { owner: owner.toString('hex'), receiver: receiver.toString('hex'), isLent: type === DELEGATE_RESOURCE, sun };
}

type Fields = ReturnType<typeof readFields>;

function messageIn(fields: Fields, number: number): Fields {
  const value = last(fields, number);
  return Buffer.isBuffer(value) ? readFields(value) : null;
}

/** Of a field that comes twice, the network takes the last value. */
function last(fields: Fields, number: number): bigint | Buffer | undefined {
  return fields?.get(number)?.at(-1);
}
