import { record } from '../support/bar';
import type { EndedOrder, Outcome } from './ended-orders';

/** What a fault may lead to, and nothing else. */
export interface Due {
  /** `success`, or codes of errors. */
  readonly answers: readonly string[];
  readonly comes: readonly Outcome[];
  /** Where one of several may come. */
  readonly because?: string;
  /** At least half of ten or more come to this. */
  readonly mostly?: Outcome;
}

/** Among fewer, one that a busy machine makes late is too many. */
const ENOUGH_FOR_MOST = 10;
const TAKEN = 'pool-then-';

/** The node's word that it kept nothing, and what that is answered with. Taken all the same, it is what a failure promised: free. */
const REFUSALS = {
  TAPOS_ERROR: 'NODE_UNAVAILABLE',
  TRANSACTION_EXPIRATION_ERROR: 'NODE_UNAVAILABLE',
  SERVER_BUSY: 'NODE_UNAVAILABLE',
  NO_CONNECTION: 'NODE_UNAVAILABLE',
  BLOCK_UNSOLIDIFIED: 'NODE_UNAVAILABLE',
  NOT_ENOUGH_EFFECTIVE_CONNECTION: 'NODE_UNAVAILABLE',
  'rate-limited': 'NODE_UNAVAILABLE',
  SIGERROR: 'INTERNAL',
  CONTRACT_VALIDATE_ERROR: 'INTERNAL',
  CONTRACT_EXE_ERROR: 'INTERNAL',
  BANDWITH_ERROR: 'INTERNAL',
  TOO_BIG_TRANSACTION_ERROR: 'INTERNAL',
};
/** Nothing that says whether it was taken. */
const UNKNOWN = ['timeout', 'reset', 'cut', 'html', '500', '503'];
/** Nor these; and the instance asks the node for nothing for a while, blocks included. */
const PAUSING = ['429', 'html-429', '403', 'html-403'];
/** Nor these; but the second try of the same bytes is answered that the node has them, where it has. */
const CLEARED_UP = ['OTHER_ERROR', 'dup'];

const NEVER: readonly Outcome[] = ['never landed'];
const EITHER: readonly Outcome[] = ['charged', 'taken back'];
export const CHARGED: Due = { answers: ['success'], comes: ['charged'] };
export const refusedWith = (...answers: string[]): Due => ({ answers, comes: NEVER });

const unknown = refusedWith('OUTCOME_UNKNOWN');
const seenOrNot = {
  answers: ['success', 'OUTCOME_UNKNOWN'],
  comes: EITHER,
  because:
    'charged if it is seen in a block within the time of the answer, else answered with a failure and taken back',
};
const sentAgain: Due = {
  answers: ['success'],
  comes: ['charged', 'never landed'],
  because:
    'the node says that it has it: the same bytes are sent again, and in a block unless they expire before a node takes them',
};

/** By the fault that the first broadcast of an order's delegation meets. */
export const DUE: Readonly<Record<string, Due>> = {
  ...by(Object.entries(REFUSALS), ([kind, code]) => [kind, refusedWith(code)]),
  ...by(Object.entries(REFUSALS), ([kind, code]) => [TAKEN + kind, { answers: [code], comes: ['taken back'] }]),
  ...by([...UNKNOWN, ...PAUSING, ...CLEARED_UP], (kind) => [kind, unknown]),
  ...by(UNKNOWN, (kind) => [TAKEN + kind, { ...seenOrNot, mostly: 'charged' }]),
  ...by(PAUSING, (kind) => [TAKEN + kind, seenOrNot]),
  ...by(CLEARED_UP, (kind) => [TAKEN + kind, CHARGED]),
  DUP_TRANSACTION_ERROR: sentAgain,
  [`${TAKEN}DUP_TRANSACTION_ERROR`]: CHARGED,
  'p2p-failed': CHARGED,
  'accept-then-drop': sentAgain,
};

function by<T>(things: readonly T[], entry: (thing: T) => [string, Due]): Record<string, Due> {
  return Object.fromEntries(things.map(entry));
}

/** Each came to what the fault has to come to; written down for docs/safety.md, with what else there is to say. */
export function expectDue(kind: string, orders: readonly EndedOrder[], due: Due, of: number, besides = ''): void {
  const wrong = orders.filter(({ answer, outcome }) => !due.answers.includes(answer) || !due.comes.includes(outcome));
  expect({ kind, wrong }).toEqual({ kind, wrong: [] });
  const count = (outcome: Outcome) => orders.filter((order) => order.outcome === outcome).length;
  const { mostly } = due;
  if (mostly && orders.length >= ENOUGH_FOR_MOST)
    expect([kind, mostly, count(mostly) * 2 >= orders.length]).toEqual([kind, mostly, true]);
  const seen = `${kind}: ${count('charged')} charged, ${count('taken back')} landed and taken back uncharged, ${count('never landed')} never landed${besides}`;
  record(5, 'orders at each fault', orders.length, of, seen);
}
