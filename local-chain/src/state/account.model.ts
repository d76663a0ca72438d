/** What an account has used of a resource: as of `slot`, given back over the window (java-tron keeps a thousandth of a slot once optimized). */
export interface ResourceUse {
  used: bigint;
  slot: number;
  window: bigint;
  optimized: boolean;
}

/** Sun staked for a resource: its own free part, what it lent out, what it was lent. */
export interface ResourceStake {
  frozenSun: bigint;
  delegatedSun: bigint;
  acquiredSun: bigint;
}

export type AccountResource = ResourceUse & ResourceStake;

export interface Permission {
  type: number;
  id: number;
  name: string;
  threshold: bigint;
  operations: string;
  keys: { address: string; weight: bigint }[];
}

export interface Unfreezing {
  resource: number;
  amountSun: bigint;
  expiresAt: number;
}

export interface Vote {
  witness: string;
  count: bigint;
}

export interface Account {
  address: string;
  type: number;
  name: string;
  balanceSun: bigint;
  createdAt: number;
  latestOperationAt: number;
  net: AccountResource;
  energy: AccountResource;
  freeNet: { used: bigint; slot: number };
  unfreezing: Unfreezing[];
  /** Staked for votes alone, where the network allows it. */
  powerSun?: bigint;
  /** Power of the stake that an account had when the network began to allow that: 0, or none, before it is looked at, -1 once it is gone. */
  oldPowerSun?: bigint;
  votes?: Vote[];
  /** Rewards that were collected and not withdrawn. */
  allowanceSun?: bigint;
  latestWithdrawAt?: number;
  owner?: Permission;
  isWitness?: boolean;
  /** Key that signs its blocks, when it has named one: else it signs them itself. */
  witness?: Permission;
  actives: Permission[];
}

export type ResourceName = 'net' | 'energy';
export const RESOURCES: readonly ResourceName[] = ['net', 'energy'];

/** Which operations a new account's active permission allows: all that exist but the permission update. */
export const DEFAULT_OPERATIONS = '7fff1fc0033ec30f'.padEnd(64, '0');

export const ownerPermission = (address: string): Permission => ({
  type: 0,
  id: 0,
  name: 'owner',
  threshold: 1n,
  operations: '',
  keys: [{ address, weight: 1n }],
});

export const witnessPermission = (signer: string): Permission => ({
  type: 1,
  id: 1,
  name: 'witness',
  threshold: 1n,
  operations: '',
  keys: [{ address: signer, weight: 1n }],
});

export const activePermission = (address: string): Permission => ({
  type: 2,
  id: 2,
  name: 'active',
  threshold: 1n,
  operations: DEFAULT_OPERATIONS,
  keys: [{ address, weight: 1n }],
});

const untouched = (): AccountResource => ({
  used: 0n,
  slot: 0,
  window: 0n,
  optimized: false,
  frozenSun: 0n,
  delegatedSun: 0n,
  acquiredSun: 0n,
});

/** A contract's account has no permissions: no key signs for it. */
export const newAccount = (address: string, createdAt: number, type = 0): Account => ({
  address,
  type,
  name: '',
  balanceSun: 0n,
  createdAt,
  latestOperationAt: 0,
  net: untouched(),
  energy: untouched(),
  freeNet: { used: 0n, slot: 0 },
  unfreezing: [],
  ...(type === 2 ? { actives: [] } : { owner: ownerPermission(address), actives: [activePermission(address)] }),
});

export const findPermission = (account: Account, id: number): Permission | undefined =>
  id === 0 ? (account.owner ?? ownerPermission(account.address)) : account.actives.find((active) => active.id === id);

/** All that gives an account of a resource, as the node sums it. */
export const stakeSun = (resource: ResourceStake): bigint => resource.frozenSun + resource.acquiredSun;

/** What an account weighs in the network's total: its own stake, lent or not. */
export const weightTrx = (resource: ResourceStake): bigint => (resource.frozenSun + resource.delegatedSun) / 1_000_000n;
