/** 1 TRX, the chain's native unit, in sun, its smallest. */
export const SUN_PER_TRX = 1_000_000n;

/** `1500000n` -> `"1.500000"`: always six places, for the command line and the panel. */
export function formatTrx(sun: bigint): string {
  const digits = (sun < 0n ? -sun : sun).toString().padStart(7, '0');
  return `${sun < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** `"1.5"` -> `1500000n`; null for anything but a plain decimal of at most six places. */
export function parseTrx(text: string): bigint | null {
  const match = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) return null;
  return BigInt(match[1]!) * SUN_PER_TRX + BigInt((match[2] ?? '').padEnd(6, '0'));
}

/** Whether `parseTrx` refuses the text for its size. */
export function isTooMuchTrx(text: string): boolean {
  return /^\d+(?:\.\d*)?(?:e\+?\d+)?$/i.test(text) && Number(text) >= 1e12;
}

/** What a sentence says of it. */
export const TOO_MUCH_TRX = 'less than 1,000,000,000,000';

/** The JSON number literal of an amount, without a trailing zero: `1500000n` -> `1.5`. Exact, where a double may not be. */
export function trxLiteral(sun: bigint): string {
  return formatTrx(sun).replace(/\.?0+$/, '');
}
