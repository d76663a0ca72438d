import { contractIn, lastOf } from './contract';

/** Energy stake that a transaction lends, or takes back. Addresses are `41…` in hex. */
export interface StakeMove {
  readonly owner: string;
  readonly receiver: string;
  readonly isLent: boolean;
  readonly sun: bigint;
  /** After the block's time, the owner cannot take it back for so long. */
  readonly lockMs: number;
}

/** protocol.Transaction.Contract.ContractType */
const DELEGATE_RESOURCE = 57n;
const UNDELEGATE_RESOURCE = 58n;
/** protocol.ResourceCode */
const ENERGY = 1n;

const SLOT_MS = 3_000;
/** java-tron's DELEGATE_PERIOD, in slots: a lock without a period of its own. */
const USUAL_LOCK_SLOTS = 86_400n;

/** Reads the bytes of protocol.Transaction.raw, of whichever owner: in a block the transaction has succeeded. Null for anything else. */
export function readStakeMove(raw: Buffer): StakeMove | null {
  const contract = contractIn(raw);
  if (contract?.type !== DELEGATE_RESOURCE && contract?.type !== UNDELEGATE_RESOURCE) return null;
  const { type, fields } = contract;
  const [owner, resource, sun, receiver] = [1, 2, 3, 4].map((number) => lastOf(fields, number));
  if (resource !== ENERGY || typeof sun !== 'bigint' || !Buffer.isBuffer(owner) || !Buffer.isBuffer(receiver))
    return null;
  const isLent = type === DELEGATE_RESOURCE;
  const [isLocked, period] = [lastOf(fields, 5) === 1n, lastOf(fields, 6)];
  const slots = typeof period === 'bigint' && period > 0n ? period : USUAL_LOCK_SLOTS;
  const lockMs = isLent && isLocked ? Number(slots) * SLOT_MS : 0;
  return { owner: owner.toString('hex'), receiver: receiver.toString('hex'), isLent, sun, lockMs };
}
