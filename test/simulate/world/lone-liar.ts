import { BEGINNING_MS } from '../kernel/kernel';
import type { NodeLie } from '../network/node-lies';
import type { Plan } from './plan';

/** From the last look at the other node until a finding is written. */
const MOST_RUN_MS = 10_000;
/** Witnesses are read by themselves, and the reconciler looks at what was read once a minute. */
const MOST_WITNESS_MS = 70_000;

/** A finding that a node showed less stake than the orders say, or other witnesses. */
export interface SeenMissing {
  readonly code: string;
  readonly lent_sun: string | null;
  /** By the database's clock. */
  readonly first_seen_ms: number;
}

/**
 * Whether only a node that says "nothing is lent", or names others as witnesses, showed what is so, because the other one was away or behind: it
 * cannot be known then that it lies. A wallet without its stake is paused, and takes orders again once the other one shows its stake.
 */
export function isOfLoneLiar(
  { actions }: Plan,
  { code, lent_sun: lentSun, first_seen_ms: seenMs }: SeenMissing,
): boolean {
  const isOfWitnesses = code === 'witness_pays_nothing';
  if (!isOfWitnesses && (!/^(undelegation_foreign|delegation_missing)$/.test(code) || lentSun !== '0')) return false;
  const told: readonly NodeLie[] = isOfWitnesses ? ['no witnesses', 'other witnesses'] : ['nothing is lent'];
  const lie = actions.find((action) => action.kind === 'node-lies' && told.includes(action.lie));
  if (lie?.kind !== 'node-lies') return false;
  const mostMs = isOfWitnesses ? MOST_WITNESS_MS : MOST_RUN_MS;
  const isClockOff = actions.some(({ kind }) => kind === 'database-clock');
  return actions.some((action) => {
    if ((action.kind !== 'node-away' && action.kind !== 'node-behind') || action.node === lie.node) return false;
    const fromMs = BEGINNING_MS + Math.max(action.atMs, lie.atMs);
    const untilMs = BEGINNING_MS + action.atMs + action.forMs;
    return fromMs < untilMs && (isClockOff || (seenMs >= fromMs && seenMs <= untilMs + mostMs));
  });
}
