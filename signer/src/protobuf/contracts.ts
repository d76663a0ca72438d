import type { Message, Shape } from './wire.reader';

interface Moved {
  readonly receiver: Buffer;
  readonly amountSun: bigint;
}
interface Staked {
  readonly amountSun: bigint;
  readonly resource: bigint;
}

/** What the contracts say beside their owner, by their names in TRON's protocol. */
export type Action =
  | (Moved & { readonly kind: 'TransferContract' })
  | (Moved & Staked & { readonly kind: 'DelegateResourceContract'; readonly lock: bigint; readonly lockPeriod: bigint })
  | (Moved & Staked & { readonly kind: 'UnDelegateResourceContract' })
  | (Staked & { readonly kind: 'FreezeBalanceV2Contract' | 'UnfreezeBalanceV2Contract' })
  | { readonly kind: 'VoteWitnessContract'; readonly votes: readonly Buffer[] }
  | { readonly kind: 'WithdrawBalanceContract' | 'WithdrawExpireUnfreezeContract' | 'CancelAllUnfreezeV2Contract' };

export type Kind = Action['kind'];

interface Contract {
  readonly kind: Kind;
  /** Field 1, the owner, is in each of them. */
  readonly shape: Shape;
  readonly read: (message: Message) => Action;
}

const moved = (message: Message, amount: number, receiver: number): Moved => ({
  amountSun: message.integer(amount),
  receiver: message.bytes(receiver),
});
const ownerAlone = (
  kind: 'WithdrawBalanceContract' | 'WithdrawExpireUnfreezeContract' | 'CancelAllUnfreezeV2Contract',
) => ({ kind, shape: { 1: 'bytes' }, read: () => ({ kind }) }) as const;
const stake = (kind: 'FreezeBalanceV2Contract' | 'UnfreezeBalanceV2Contract') =>
  ({
    kind,
    shape: { 1: 'bytes', 2: 'integer', 3: 'integer' },
    read: (message: Message) => ({ kind, amountSun: message.integer(2), resource: message.integer(3) }),
  }) as const;

/** The contracts that any role may sign, by protocol.Transaction.Contract.ContractType. */
export const CONTRACTS: ReadonlyMap<bigint, Contract> = new Map<bigint, Contract>([
  [
    1n,
    {
      kind: 'TransferContract',
      shape: { 1: 'bytes', 2: 'bytes', 3: 'integer' },
      read: (message) => ({ kind: 'TransferContract', ...moved(message, 3, 2) }),
    },
  ],
  [
    4n,
    {
      kind: 'VoteWitnessContract',
      shape: { 1: 'bytes', 2: 'list' },
      read: (message) => ({ kind: 'VoteWitnessContract', votes: message.list(2) }),
    },
  ],
  [13n, ownerAlone('WithdrawBalanceContract')],
  [54n, stake('FreezeBalanceV2Contract')],
  [55n, stake('UnfreezeBalanceV2Contract')],
  [56n, ownerAlone('WithdrawExpireUnfreezeContract')],
  [
    57n,
    {
      kind: 'DelegateResourceContract',
      shape: { 1: 'bytes', 2: 'integer', 3: 'integer', 4: 'bytes', 5: 'integer', 6: 'integer' },
      read: (message) => ({
        kind: 'DelegateResourceContract',
        resource: message.integer(2),
        ...moved(message, 3, 4),
        lock: message.integer(5),
        lockPeriod: message.integer(6),
      }),
    },
  ],
  [
    58n,
    {
      kind: 'UnDelegateResourceContract',
      shape: { 1: 'bytes', 2: 'integer', 3: 'integer', 4: 'bytes' },
      read: (message) => ({
        kind: 'UnDelegateResourceContract',
        resource: message.integer(2),
        ...moved(message, 3, 4),
      }),
    },
  ],
  [59n, ownerAlone('CancelAllUnfreezeV2Contract')],
]);
