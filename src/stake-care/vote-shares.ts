import { isAddress } from '../chain/tron/addresses';
import { InvalidValueError } from '../common/errors/domain.error';
import type { VoteShare } from './stake-operation';

const MOST_WITNESSES = 30;
const MOST_WEIGHT = 1_000_000;

/** `T…=60,T…=40`, as it is typed. @throws InvalidValueError */
export function readVotes(text: string): VoteShare[] {
  const shares = text.split(',').map((part) => {
    const [witness = '', weight = ''] = part.trim().split('=');
    return { witness, weight: /^[1-9]\d{0,6}$/.test(weight) ? Number(weight) : 0 };
  });
  const witnesses = new Set(shares.map(({ witness }) => witness));
  const areGood = shares.every(({ witness, weight }) => isAddress(witness) && weight > 0 && weight <= MOST_WEIGHT);
  if (!areGood || witnesses.size < shares.length || shares.length > MOST_WITNESSES)
    throw new InvalidValueError('stake.votes-invalid');
  return shares;
}

/** As `readVotes` takes it. */
export function writtenVotes(shares: readonly VoteShare[]): string {
  return shares.map(({ witness, weight }) => `${witness}=${weight}`).join(',');
}
