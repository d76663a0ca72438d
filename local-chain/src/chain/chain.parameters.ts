/** Mainnet's values. Those in `PARAMETER_IDS` a network can set: rules read them off the state (`WorldState.parameters`). */
export const PARAMETERS = {
  maintenanceMs: 21_600_000,
  witnessPaySun: 8_000_000n,
  standbyPaySun: 128_000_000n,
  allowNewResourceModel: 0,
  freeNetLimit: 600n,
  publicNetLimit: 14_400_000_000n,
  totalNetLimit: 43_200_000_000n,
  totalEnergyLimit: 180_000_000_000n,
  netFeeSun: 1_000n,
  energyFeeSun: 100n,
  maxFeeLimitSun: 15_000_000_000n,
  createAccountFeeSun: 100_000n,
  createAccountFeeInContractSun: 1_000_000n,
  createAccountNetRate: 1n,
  createAccountMaxBytes: 1_000,
  permissionUpdateFeeSun: 100_000_000n,
  multiSignFeeSun: 1_000_000n,
  memoFeeSun: 1_000_000n,
  totalSignatures: 5,
  unfreezeDelayDays: 14,
  maxUnfreezing: 32,
  defaultLockBlocks: 86_400n,
  maxLockBlocks: 864_000n,
  blockVersion: 32,
  slotMs: 3_000,
  dayMs: 86_400_000,
  maxTransactionBytes: 500 * 1024,
  resultBytes: 64,
  maxBlockBytes: 2_000_000,
  maxPending: 2_000,
  pendingTimeoutMs: 60_000,
  reachableBlocks: 65_536,
} as const;

export const TRX = 1_000_000n;

/** By java-tron's number of the proposal that sets it. */
export const PARAMETER_IDS = {
  0: 'maintenanceMs',
  2: 'createAccountFeeSun',
  3: 'netFeeSun',
  5: 'witnessPaySun',
  7: 'createAccountFeeInContractSun',
  8: 'createAccountNetRate',
  11: 'energyFeeSun',
  22: 'permissionUpdateFeeSun',
  23: 'multiSignFeeSun',
  31: 'standbyPaySun',
  47: 'maxFeeLimitSun',
  51: 'allowNewResourceModel',
  61: 'freeNetLimit',
  62: 'totalNetLimit',
  68: 'memoFeeSun',
  70: 'unfreezeDelayDays',
  78: 'maxLockBlocks',
  82: 'createAccountMaxBytes',
} as const satisfies Record<number, keyof typeof PARAMETERS>;

type SetParameter = (typeof PARAMETER_IDS)[keyof typeof PARAMETER_IDS];
/** As one network has them. */
export type Parameters = Omit<typeof PARAMETERS, SetParameter> & {
  readonly [name in SetParameter]: (typeof PARAMETERS)[name] extends bigint ? bigint : number;
};

const LEAST: Partial<Record<SetParameter, bigint>> = {
  maintenanceMs: 81_000n,
  unfreezeDelayDays: 1n,
  maxLockBlocks: 86_401n,
};
const MOST: Partial<Record<SetParameter, bigint>> = {
  maintenanceMs: 86_400_000n,
  allowNewResourceModel: 1n,
  unfreezeDelayDays: 365n,
  maxLockBlocks: 10_512_000n,
};

/** Why a network could not set it to that; undefined when it could. */
export function whyNotSet(id: number, value: bigint): string | undefined {
  const name = (PARAMETER_IDS as Record<number, SetParameter | undefined>)[id];
  if (!name) return `this chain has no parameter ${id} that can be set, but ${Object.keys(PARAMETER_IDS).join(', ')}`;
  const [least, most] = [LEAST[name] ?? 0n, MOST[name] ?? 100_000_000_000_000_000n];
  return value < least || value > most ? `parameter ${id} is from ${least} to ${most}` : undefined;
}

/** `set` by ids, on top of mainnet's. */
export function parametersWith(set: Readonly<Record<number, bigint>>): Parameters {
  const named = Object.entries(set).map(([id, value]) => {
    const name = PARAMETER_IDS[Number(id) as keyof typeof PARAMETER_IDS];
    return [name, typeof PARAMETERS[name] === 'bigint' ? value : Number(value)] as const;
  });
  return { ...PARAMETERS, ...Object.fromEntries(named) };
}
