import { bug, type Bug } from './patch';

const CARE = 'stake-care/stake-care.ts';
const PLAN = 'stake-care/plan-operation.ts';

/** Bugs about what is done for a wallet's stake. */
export const STAKE_BUGS: readonly Bug[] = [
  bug(
    'votes-of-what-is-unfrozen',
    CARE,
    'const power = await this.powerToVote(care, looked);',
    'const unfreezing = looked.unfreezing.reduce((sum, { sun }) => sum + sun, 0n) / SUN_PER_TRX;\n    const power = (await this.powerToVote(care, looked)) + unfreezing;',
  ),
  bug('claimed-twice-a-day', CARE, 'if (atMs - lastMs < DAY_MS) return [];', '', {
    file: `src/${CARE}`,
    from: "kind: 'claim', amountSun: rewardSun, occasion: dayOf(atMs)",
    to: "kind: 'claim', amountSun: rewardSun, occasion: String(atMs)",
  }),
  bug(
    'reserved-stake-unfrozen',
    PLAN,
    "if (kind === 'unfreeze' && resource === 'energy') {",
    "if (kind === 'unfreeze' && resource === 'energy' && occasion !== null) {",
  ),
  bug(
    'bandwidth-of-reclaims-restaked',
    PLAN,
    '(await this.paid(tx, walletId, liquidSun)) >= dueWithIt',
    '(await this.paid(tx, walletId, liquidSun)) >= 0n',
  ),
];
