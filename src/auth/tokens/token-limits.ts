import { isDeepStrictEqual } from 'node:util';
import { InvalidValueError } from '../../common/errors/domain.error';
import { isTronAddress } from '../../../config/tron-address';
import { canonicalNetwork } from './allowed-networks';

/** Each row of the list is read with every request. */
const MOST_LISTED = 100;

/** What limits a token besides its permissions; null: no limit. */
export interface TokenLimits {
  /** The list prices of its orders in a UTC day, together. */
  readonly dailyLimitSun: bigint | null;
  /** The most that each order may cost. */
  readonly maxCostSun: bigint | null;
  /** Addresses that it may order for and look up, base58check. */
  readonly receivers: readonly string[] | null;
  /** Networks that it may be used from, CIDR. */
  readonly ips: readonly string[] | null;
}

export const NO_LIMITS: TokenLimits = { dailyLimitSun: null, maxCostSun: null, receivers: null, ips: null };

/** Whether something would be allowed that was not. A network within one of those there were counts as another one. */
export function widens(before: TokenLimits, after: TokenLimits): boolean {
  return (
    isMore(before.dailyLimitSun, after.dailyLimitSun) ||
    isMore(before.maxCostSun, after.maxCostSun) ||
    hasOthers(before.receivers, after.receivers) ||
    hasOthers(before.ips, after.ips)
  );
}

export function isSameLimit(one: TokenLimits[keyof TokenLimits], other: TokenLimits[keyof TokenLimits]): boolean {
  return isDeepStrictEqual(one, other);
}

function isMore(before: bigint | null, after: bigint | null): boolean {
  return before !== null && (after === null || after > before);
}

function hasOthers(before: readonly string[] | null, after: readonly string[] | null): boolean {
  return before !== null && (after === null || after.some((item) => !before.includes(item)));
}

/** Each once, in their order; an empty list does not limit. @throws InvalidValueError */
export function checkReceivers(receivers: readonly string[]): string[] | null {
  const wrong = receivers.find((receiver) => !isTronAddress(receiver));
  if (wrong !== undefined) throw new InvalidValueError('token.receiver-invalid', { receiver: wrong });
  return bounded(receivers, 'token.receivers-too-many');
}

/** As `canonicalNetwork` writes them, each once; an empty list does not limit. @throws InvalidValueError */
export function checkIps(ips: readonly string[]): string[] | null {
  const networks = ips.map((ip) => {
    const network = canonicalNetwork(ip);
    if (network === null) throw new InvalidValueError('token.ip-invalid', { ip });
    return network;
  });
  return bounded(networks, 'token.ips-too-many');
}

/** What was typed as a list: by commas, blanks or lines. */
export function listed(text: string): string[] {
  return text.split(/[\s,，;；]+/).filter((item) => item !== '');
}

function bounded(items: readonly string[], code: 'token.receivers-too-many' | 'token.ips-too-many'): string[] | null {
  const distinct = [...new Set(items)];
  if (distinct.length > MOST_LISTED) throw new InvalidValueError(code, { most: MOST_LISTED });
  return distinct.length === 0 ? null : distinct;
}
