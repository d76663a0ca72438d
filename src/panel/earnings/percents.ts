import { groupDigits } from '../layout/components';

/** Of hundredths: `2.31 %`. Null: not known. */
export function yearlyPercent(hundredths: bigint | null): string {
  if (hundredths === null) return '–';
  return `${groupDigits(hundredths / 100n)}.${String(hundredths % 100n).padStart(2, '0')} %`;
}

/** `+12.5 %`, `−3.0 %`, rounded towards 0. Null: there was nothing before. */
export function changePercent(before: bigint, after: bigint): string | null {
  if (before === 0n) return null;
  const thousandths = ((after - before) * 1_000n) / before;
  const size = thousandths < 0n ? -thousandths : thousandths;
  const sign = thousandths === 0n ? '' : thousandths < 0n ? '\u2212' : '+';
  return `${sign}${groupDigits(size / 10n)}.${size % 10n} %`;
}
