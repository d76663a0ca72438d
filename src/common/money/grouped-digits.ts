import { trxLiteral } from './sun';

/** For a total in a sentence or a tile. */
export function shortTrx(sun: bigint): string {
  return groupDigits(trxLiteral(sun));
}

/** `1234567.5` -> `1 234 567.5`, with narrow no-break spaces. */
export function groupDigits(number: string | number | bigint): string {
  const [whole = '', fraction] = String(number).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
