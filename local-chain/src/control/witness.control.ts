import type { ChainNode, StateChange } from '../chain/chain.node';
import { ChainControlError } from '../chain/control.error';
import type { JsonObject } from '../protobuf/json.printer';
import { keys } from '../state/world.state';
import { newTally, type WitnessTally } from '../votes/witness.tally';
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

/**
 * The first ones are voted out, and stay candidates; new ones take their places at the end of the turn, with their votes, so that the next count of
 * votes leaves them there.
 */
function elect(witnesses: Witness[], count: number): { all: Witness[]; votes: [string, StateChange][] } {
  const out = witnesses.filter(({ active }) => active).slice(0, count);
  const votes = out.flatMap((old, at): [string, StateChange][] => {
    const fresh = newWitness(witnesses.length + 1 + at);
    return [
      [keys.tally(addressOf(old)), (tally?: WitnessTally) => ({ ...(tally ?? newTally(old)), votes: 0n })],
      [keys.tally(addressOf(fresh)), () => ({ ...newTally(fresh), votes: newTally(old).votes })],
    ];
  });
  for (const witness of out) Object.assign(witness, { active: false, silent: false });
  const fresh = Array.from({ length: count }, (_, i) => newWitness(witnesses.length + 1 + i));
  return { all: [...witnesses, ...fresh], votes };
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
  const { all: changed, votes } = elect(
    schedule.witnesses.map((witness) => ({ ...witness })),
    replace ?? 0,
  );
  const active = changed.filter((witness) => witness.active);
  for (const witness of active.slice(0, rotated ?? 0)) witness.signingKey++;
  for (const witness of active.slice(0, postQuantum ?? 0)) witness.scheme = scheme;
  if (silent !== undefined) silence(active, silent);
  if (votes.length > 0) node.amend(new Map(votes));
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
