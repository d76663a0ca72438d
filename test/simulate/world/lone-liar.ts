import { BEGINNING_MS } from '../kernel/kernel';
import type { Plan } from './plan';

/** From the last look at the other node until a finding is written. */
const MOST_RUN_MS = 10_000;

/** A finding that a node showed less stake than the orders say. */
export interface SeenMissing {
  readonly code: string;
  readonly lent_sun: string | null;
  /** By the database's clock. */
  readonly first_seen_ms: number;
}

/**
 * Whether only a node that says "nothing is lent" showed what is lent, because the other one was away or behind: it cannot be known then that
 * it lies. The wallet is paused, and takes orders again once the other one shows its stake.
 */
export function isOfLoneLiar(
  { actions }: Plan,
  { code, lent_sun: lentSun, first_seen_ms: seenMs }: SeenMissing,
): boolean {
  if (!/^(undelegation_foreign|delegation_missing)$/.test(code) || lentSun !== '0') return false;
  const lie = actions.find((action) => action.kind === 'node-lies' && action.lie === 'nothing is lent');
  if (lie?.kind !== 'node-lies') return false;
  const isClockOff = actions.some(({ kind }) => kind === 'database-clock');
  return actions.some((action) => {
    if ((action.kind !== 'node-away' && action.kind !== 'node-behind') || action.node === lie.node) return false;
    const fromMs = BEGINNING_MS + Math.max(action.atMs, lie.atMs);
    const untilMs = BEGINNING_MS + action.atMs + action.forMs;
    return fromMs < untilMs && (isClockOff || (seenMs >= fromMs && seenMs <= untilMs + MOST_RUN_MS));
  });
}
