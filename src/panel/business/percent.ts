/** A share of whole numbers with one place, rounded down: 999 of 1,000 is no 100 %. Null: of nothing. */
export function percentOf(part: bigint, whole: bigint): string | null {
  if (whole === 0n) return null;
  const thousandths = (part * 1_000n) / whole;
  return `${thousandths / 10n}.${thousandths % 10n} %`;
}
