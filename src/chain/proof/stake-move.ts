import { contractIn, lastOf } from './contract';

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
  const contract = contractIn(raw);
  if (contract?.type !== DELEGATE_RESOURCE && contract?.type !== UNDELEGATE_RESOURCE) return null;
  const { type, fields } = contract;
  const [owner, resource, sun, receiver] = [1, 2, 3, 4].map((number) => lastOf(fields, number));
  if (resource !== ENERGY || typeof sun !== 'bigint' || !Buffer.isBuffer(owner) || !Buffer.isBuffer(receiver))
    return null;
  return { owner: owner.toString('hex'), receiver: receiver.toString('hex'), isLent: type === DELEGATE_RESOURCE, sun };
}
