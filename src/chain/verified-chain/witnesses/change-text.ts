import { type InEachLanguage, inEachLanguage } from '../../../languages/languages';
import type { Witness } from '../../proof/judge';
import { toBase58Address } from '../../tron/addresses';

/** For the log and for notices. */
export function changeText({
  number,
  joined,
  gone,
}: {
  readonly number: number | bigint;
  readonly joined: Witness | null;
  readonly gone: Witness | null;
}): InEachLanguage {
  const change = { number, joined: joined && addressesOf(joined), gone: gone && addressesOf(gone) };
  return inEachLanguage(({ witnessChange }) => witnessChange(change));
}

function addressesOf({ address, signing_address: signer }: Witness): { witness: string; key: string } {
  return { witness: toBase58Address(address), key: toBase58Address(signer) };
}
