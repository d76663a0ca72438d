import { trxLiteral } from './sun';

declare global {
  interface JSON {
    /** Node 21 and newer; TypeScript's library does not know it yet. */
    rawJSON(text: string): RawJson;
  }
}

/** A piece of JSON that `JSON.stringify` puts out as it is. */
export interface RawJson {
  readonly rawJSON: string;
}

/** An amount as an exact JSON number, where a double could come out as `2.9999999`. */
export function trxNumber(sun: bigint): RawJson {
  return JSON.rawJSON(trxLiteral(sun));
}
