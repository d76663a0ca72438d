import type { DepositSettings } from '../../config/deposits';
import type { Asset, DepositState, WaitingFor } from './deposit-states';

export interface Decision {
  readonly state: Extract<DepositState, 'seen' | 'too_small' | 'waiting'>;
  readonly rateSun: bigint | null;
  /** With `seen`: a credit of so much is due. */
  readonly creditSun: bigint | null;
  readonly waitsFor: WaitingFor | null;
}

/** Millionths of a USDT. */
const UNITS_PER_USDT = 1_000_000n;
/** A balance holds no more. */
export const MOST_SUN = 2n ** 63n - 1n;

type Amount = { readonly asset: Asset; readonly amount: bigint };

/** What an amount is worth; parts of a sun are left out. */
export function worthSun({ asset, amount }: Amount, sunPerUsdt: bigint): bigint {
  return asset === 'TRX' ? amount : (amount * sunPerUsdt) / UNITS_PER_USDT;
}

/** What becomes of a transfer in a final block. @param sunPerUsdt as it was in force when the block was made */
export function decideDeposit(
  transfer: Amount,
  sunPerUsdt: bigint | null,
  { leastSun, leastUsdt }: Pick<DepositSettings, 'leastSun' | 'leastUsdt'>,
): Decision {
  const isTrx = transfer.asset === 'TRX';
  const rateSun = isTrx ? null : sunPerUsdt;
  const left = (state: 'too_small' | 'waiting', waitsFor: WaitingFor | null = null): Decision => ({
    state,
    rateSun,
    creditSun: null,
    waitsFor,
  });
  if (transfer.amount < (isTrx ? leastSun : leastUsdt)) return left('too_small');
  if (!isTrx && sunPerUsdt === null) return left('waiting', 'rate');
  const creditSun = worthSun(transfer, sunPerUsdt ?? 0n);
  if (creditSun === 0n) return left('too_small');
  if (creditSun > MOST_SUN) return left('waiting', 'operator');
  return { state: 'seen', rateSun, creditSun, waitsFor: null };
}
