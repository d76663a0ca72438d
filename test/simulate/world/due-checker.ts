import { BEGINNING_MS } from '../kernel/kernel';
import { FEWER_MS } from './instances';
import { type Plan, TROUBLE_MS } from './plan';

/** By then instances are up again; the last that was stopped goes on a little later. */
const RECOVERED_MS = TROUBLE_MS + 20_000;
const CONTINUED_MS = TROUBLE_MS + 60_000;
/** When an instance had begun one and then ended for good, another one waits for the end of its claim. */
const CLAIM_MS = 35_000;
const MOST_LATE_MS = 60_000;
/** Whatever else there was may have a wallet rest, or a node be left alone for a while. */
const SURELY_PAST = ['order', 'kill', 'cut', 'stop', 'fork', 'weight', 'database-away'];

/** How much too late, where nothing can have held it up; else 0. */
export function lateMs({ actions }: Plan, dueMs: number, backMs: number): number {
  const kinds = new Set<string>(actions.map(({ kind }) => kind));
  if ([...kinds].some((kind) => !SURELY_PAST.includes(kind))) return 0;
  const isCalm = [...kinds].every((kind) => kind === 'order' || kind === 'weight');
  const calmFromMs = kinds.has('stop') ? CONTINUED_MS : isCalm ? 0 : RECOVERED_MS;
  const sinceMs = dueMs - BEGINNING_MS;
  const mayBeClaimed = sinceMs > FEWER_MS - CLAIM_MS && sinceMs < FEWER_MS + 5_000;
  if (sinceMs < calmFromMs) return 0;
  return Math.max(0, backMs - dueMs - MOST_LATE_MS - (mayBeClaimed ? CLAIM_MS : 0));
}
