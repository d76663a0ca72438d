import { SUN_PER_TRX } from '../../common/money/sun';
import { ALL_PERCENT, PAID_WITNESSES } from '../care-periods';
import { yieldPercent } from '../stake-yield';
import type { WitnessRow } from './witness.repository';

/** Far below a sun: what one vote gets. */
const PARTS = 10n ** 12n;

/** Whether its voters get anything. */
export function paysVoters({ rank, keeps_percent: keeps }: Pick<WitnessRow, 'rank' | 'keeps_percent'>): boolean {
  return rank !== null && rank <= PAID_WITNESSES && BigInt(keeps) < ALL_PERCENT;
}

/**
 * What a vote for a witness has brought between its first and its last reading, as per cent of the vote's TRX in a year: its own pay for the
 * blocks that it has made, and what the network pays by votes for all blocks, less what it keeps. No node shows what it has paid its voters; this
 * follows from what nodes show of it, by the network's rule. Null: there are too few readings.
 */
export function yieldOfWitness(readings: readonly WitnessRow[]): number | null {
  const [first, last] = [readings[0], readings.at(-1)];
  if (!first || !last || first === last) return null;
  const parts = readings.slice(1).reduce((sum, now, at) => sum + ofOneVote(readings[at]!, now), 0n);
  return yieldPercent(parts, Number(last.read_ms - first.read_ms), SUN_PER_TRX * PARTS);
}

/** By votes and share of the earlier one, which are in force until the period ends. */
function ofOneVote(before: WitnessRow, now: WitnessRow): bigint {
  if (!paysVoters(before) || before.votes === 0n || before.votes_of_paid === 0n) return 0n;
  const [made, all] = [now.made_blocks - before.made_blocks, now.all_blocks - before.all_blocks];
  const ofMaker = (made * now.block_pay_sun * PARTS) / before.votes;
  const byVotes = (all * now.vote_pay_sun * PARTS) / before.votes_of_paid;
  return ((ofMaker + byVotes) * (ALL_PERCENT - BigInt(before.keeps_percent))) / ALL_PERCENT;
}
