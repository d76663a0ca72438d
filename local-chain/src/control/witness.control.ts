import type { ChainNode } from '../chain/chain.node';
import { ChainControlError } from '../chain/control.error';
import type { JsonObject } from '../protobuf/json.printer';
import { addressOf, newWitness, signingAddress, type Witness } from '../witnesses/witness.model';
import { findInteger, schemeOf } from './control.body';

/** So many of the active ones. */
function countOf(body: JsonObject, name: string, active: readonly Witness[]): number | undefined {
  const count = findInteger(body, name);
  if (count === undefined) return undefined;
  if (count > BigInt(active.length))
    throw new ChainControlError(`"${name}" must be at most ${active.length}: so many witnesses are active`);
  return Number(count);
}

/** The first ones are voted out, and stay candidates; new ones take their places at the end of the turn. */
function elect(witnesses: Witness[], count: number): Witness[] {
  for (const witness of witnesses.filter(({ active }) => active).slice(0, count))
    Object.assign(witness, { active: false, silent: false });
  return [...witnesses, ...Array.from({ length: count }, (_, i) => newWitness(witnesses.length + 1 + i))];
}

/** Spread over the turn, so that no long gap stands between two blocks. */
function silence(active: readonly Witness[], count: number): void {
  const silent = new Set(Array.from({ length: count }, (_, i) => Math.floor((i * active.length) / count)));
  for (const [i, witness] of active.entries()) witness.silent = silent.has(i);
}

/** Changes who makes blocks, and with which keys, from the next block on; without anything to change it only says so. */
export function controlWitnesses(node: ChainNode, body: JsonObject): JsonObject {
  const { schedule } = node;
  const scheme = schemeOf(body);
  const [replace, rotated, silent, postQuantum] = ['replace', 'rotate_keys', 'silent', 'post_quantum'].map((name) =>
    countOf(body, name, schedule.active),
  );
  const changed = elect(
    schedule.witnesses.map((witness) => ({ ...witness })),
    replace ?? 0,
  );
  const active = changed.filter((witness) => witness.active);
  for (const witness of active.slice(0, rotated ?? 0)) witness.signingKey++;
  for (const witness of active.slice(0, postQuantum ?? 0)) witness.scheme = scheme;
  if (silent !== undefined) silence(active, silent);
  node.setWitnesses(changed);
  return {
    witnesses: active.map((witness) => ({
      address: addressOf(witness),
      signing_address: signingAddress(witness).toString('hex'),
      silent: witness.silent,
    })),
    final: node.finalHeight,
  };
}
