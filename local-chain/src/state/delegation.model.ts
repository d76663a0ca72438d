import type { ResourceName } from './account.model';

export interface DelegatedPart {
  amountSun: bigint;
  expiresAt: number;
}

/** All that one account lends another under one lock flag: the chain keeps no record of single delegations. */
export interface Delegation extends Record<ResourceName, DelegatedPart> {
  from: string;
  to: string;
}

export const newDelegation = (from: string, to: string): Delegation => ({
  from,
  to,
  net: { amountSun: 0n, expiresAt: 0 },
  energy: { amountSun: 0n, expiresAt: 0 },
});

export const isEmpty = (delegation: Delegation): boolean =>
  delegation.net.amountSun === 0n && delegation.energy.amountSun === 0n;
