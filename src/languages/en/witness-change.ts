/** Addresses of a witness and of the key that it signs with. */
interface WitnessAndKey {
  readonly witness: string;
  readonly key: string;
}

const nameOf = ({ witness, key }: WitnessAndKey) => `${witness} with key ${key}`;

/** A change of those whose signatures count, known by a block. */
export function witnessChange({
  number,
  joined,
  gone,
}: {
  readonly number: number | bigint;
  readonly joined: WitnessAndKey | null;
  readonly gone: WitnessAndKey | null;
}): string {
  if (joined === null)
    return `Witness ${nameOf(gone!)} no longer counts: it has signed no block for six hours, and not every node names it (block ${number}).`;
  const proof = `enough known witnesses have built on its block ${number}`;
  return gone === null
    ? `Witness ${nameOf(joined)} counts from now on: ${proof}.`
    : `Witness ${nameOf(joined)} takes the place of ${nameOf(gone)}: ${proof}.`;
}
