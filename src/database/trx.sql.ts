/** SQL for an amount of sun as TRX with all six places, exactly: a quotient would be rounded to sixteen digits. */
export function trx(sun: string): string {
  return `((${sun}) * 0.000001)`;
}
