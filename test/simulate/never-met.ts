import { NODE_LIES } from './network/node-lies';
import { WAYS_TO_BE_LARGE } from './network/too-large-answers';
import { WAYS_TO_FAIL } from './network/unreadable-blocks';
import { WAYS_TO_PAY } from './world/plan';
import {
  ANSWERED_ROUTES,
  DATABASE_TRAPS,
  LIES,
  NODE_FAULTS,
  READ_FAULTS,
  READ_ROUTES,
  REFUSALS,
  TRAPS,
} from './world/plan-trouble';
import { OTHER_CONFIGURATIONS } from './world/plan-signer';

const sprung = (what: string, places: readonly string[]) =>
  places.flatMap((at) => [`${what} before ${at}`, `${what} after ${at}`]);
const AT = [...new Set(TRAPS)].filter((at) => at !== 'now');

/** What many histories have to meet and come to: a name that is gone from the service, or a plan that has lost its point, shows here. */
const WANTED: readonly string[] = [
  'told OK',
  'told INSUFFICIENT_BALANCE',
  'told INSUFFICIENT_ENERGY',
  'told TOKEN_LIMIT_REACHED',
  'told nothing',
  'order reclaimed',
  'order failed',
  'order taken_back',
  'found shortage',
  'kill at any moment',
  'stop at any moment',
  'cut at any moment',
  ...sprung('kill', AT),
  ...sprung('stop', AT),
  ...sprung('cut', DATABASE_TRAPS),
  ...sprung('silence', DATABASE_TRAPS),
  ...sprung('half-open', DATABASE_TRAPS),
  ...DATABASE_TRAPS.map((at) => `refusal before ${at}`),
  ...REFUSALS.map((code) => `refusal ${code}`),
  ...NODE_FAULTS.map((kind) => `broadcast ${kind}`),
  ...[...READ_FAULTS, ...LIES, ...READ_ROUTES].map((what) => `read ${what}`),
  ...WAYS_TO_FAIL.map((way) => `unreadable blocks, ${way}`),
  ...Object.keys(NODE_LIES).map((lie) => `node lies, ${lie}`),
  ...[...WAYS_TO_BE_LARGE, ...ANSWERED_ROUTES].map((what) => `too large answers, ${what}`),
  ...['refused', 'lost'].map((how) => `node away, ${how}`),
  ...['head', 'solid'].map((what) => `node behind, ${what}`),
  ...['delegate', 'undelegate', 'leave'].map((does) => `stranger, ${does}`),
  ...['vote', 'claim', 'freeze', 'withdraw', 'unfreeze'].map((does) => `by-hand, ${does}`),
  ...['freeze', 'unfreeze'].map((does) => `stake-operation, ${does}`),
  'reward',
  'signer-hang',
  'signer-late',
  ...['before', 'after'].map((when) => `signer, killed ${when} its log`),
  ...OTHER_CONFIGURATIONS.map((what) => `signer, with ${what}`),
  ...['signed', 'limit_reached', 'unknown_key', 'signature of another transaction'].map((what) => `signer, ${what}`),
  'rate',
  'rate taken back',
  ...WAYS_TO_PAY.map((way) => `payment, ${way}`),
  ...['credited', 'too_small', 'waiting'].map((state) => `deposit ${state}`),
  'database-away',
  'database-full',
  'database-silent',
  'connection refused',
  'connection not answered',
  'late commit',
  'a success dropped by a fork, and in a block again',
  'database-clock',
  'fork',
  'node-slow',
  'silent-witnesses',
  'weight',
  'ended for good',
];

export function neverMet(counts: Readonly<Record<string, number>>): string[] {
  return WANTED.filter((name) => !counts[name]);
}
