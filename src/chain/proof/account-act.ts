import { contractIn, lastOf } from './contract';
import { ownerIn } from './transaction-owner';

/** What an account does with a transaction, as far as its owner needs to know. */
export const ACT_KINDS = [
  'transfer',
  'contract_call',
  'permission_change',
  'unfreezing',
  'delegation',
  'undelegation',
  'vote',
  'claim',
  'freezing',
  'withdrawal',
  'other',
] as const;
export type ActKind = (typeof ACT_KINDS)[number];

/** Addresses are `41…` in hex. */
export interface AccountAct {
  readonly kind: ActKind;
  readonly owner: string;
  /** The account that gets the TRX, token or stake, or the contract that is called; null where the bytes name none. */
  readonly receiver: string | null;
  /** Null where the bytes have no amount of TRX. */
  readonly sun: bigint | null;
  /** Whether the act lends or takes back energy without a lock, as this service does. */
  readonly isPlainEnergy: boolean;
}

interface Shape {
  readonly kind: ActKind;
  /** Numbers of fields in the contract's own message. */
  readonly receiver?: number;
  readonly sun?: number;
  readonly resource?: number;
  readonly lock?: number;
}

/** protocol.ResourceCode: bandwidth is 0, which the bytes leave out. */
const ENERGY = 1n;

/** protocol.Transaction.Contract.ContractType */
const SHAPES: ReadonlyMap<unknown, Shape> = new Map<unknown, Shape>([
  /** TransferContract, TransferAssetContract: the amount of that is of a token. */
  [1n, { kind: 'transfer', receiver: 2, sun: 3 }],
  [2n, { kind: 'transfer', receiver: 3 }],
  /** VoteAssetContract, VoteWitnessContract */
  [3n, { kind: 'vote' }],
  [4n, { kind: 'vote' }],
  /** FreezeBalanceContract, UnfreezeBalanceContract: the first may lend what it freezes. */
  [11n, { kind: 'freezing', receiver: 15, sun: 2 }],
  [12n, { kind: 'unfreezing', receiver: 15 }],
  /** WithdrawBalanceContract */
  [13n, { kind: 'claim' }],
  /** CreateSmartContract, TriggerSmartContract */
  [30n, { kind: 'contract_call' }],
  [31n, { kind: 'contract_call', receiver: 2, sun: 3 }],
  /** AccountPermissionUpdateContract */
  [46n, { kind: 'permission_change' }],
  /** FreezeBalanceV2Contract, UnfreezeBalanceV2Contract, WithdrawExpireUnfreezeContract */
  [54n, { kind: 'freezing', sun: 2 }],
  [55n, { kind: 'unfreezing', sun: 2 }],
  [56n, { kind: 'withdrawal' }],
  /** DelegateResourceContract, UnDelegateResourceContract */
  [57n, { kind: 'delegation', receiver: 4, sun: 3, resource: 2, lock: 5 }],
  [58n, { kind: 'undelegation', receiver: 4, sun: 3, resource: 2 }],
  /** CancelAllUnfreezeV2Contract: what was being unfrozen is frozen again. */
  [59n, { kind: 'freezing' }],
]);

/** By the bytes of protocol.Transaction.raw, whichever key signed them. */
export function readAct(raw: Buffer): AccountAct {
  const contract = contractIn(raw);
  const shape: Shape = (contract && SHAPES.get(contract.type)) ?? { kind: 'other' };
  const field = (number: number | undefined) =>
    contract && number !== undefined ? lastOf(contract.fields, number) : undefined;
  const [receiver, sun] = [field(shape.receiver), field(shape.sun)];
  const act = {
    owner: ownerIn(raw),
    receiver: isAddress(receiver) ? receiver.toString('hex') : null,
    sun: typeof sun === 'bigint' ? sun : null,
    isPlainEnergy: field(shape.resource) === ENERGY && !field(shape.lock),
  };
  // Stake of the first kind goes to others with the transaction that freezes it.
  return { ...act, kind: shape.kind === 'freezing' && act.receiver !== null ? 'delegation' : shape.kind };
}

function isAddress(value: bigint | Buffer | undefined): value is Buffer {
  return Buffer.isBuffer(value) && value.length === 21 && value[0] === 0x41;
}
