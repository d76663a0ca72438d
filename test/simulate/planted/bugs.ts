import { CHAIN_BUGS } from './chain.bugs';
import { DEPOSIT_BUGS } from './deposit.bugs';
import { MONEY_BUGS } from './money.bugs';
import type { Bug, Patch } from './patch';
import { SIGNER_BUGS } from './signer.bugs';
import { STAKE_BUGS } from './stake.bugs';
import { TRUTH_BUGS } from './truth.bugs';

export const BUGS: readonly Bug[] = [
  ...MONEY_BUGS,
  ...CHAIN_BUGS,
  ...STAKE_BUGS,
  ...TRUTH_BUGS,
  ...SIGNER_BUGS,
  ...DEPOSIT_BUGS,
];

export function patchesOf(name: string): readonly Patch[] {
  const found = BUGS.find((bug) => bug.name === name);
  if (!found) throw new Error(`no planted bug is called ${name}`);
  return found.patches;
}
