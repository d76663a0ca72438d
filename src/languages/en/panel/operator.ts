import type { ComponentChildren } from 'preact';
import { plural } from '../../../common/plural';
import { filled } from '../../filled';

type Counted = Readonly<Record<string, (count: string) => string>>;

/** What the pages for operators share: wallets, findings and the audit log. Users and the overview have messages of their own. */
export const operator = {
  noSuchWallets: 'No wallet is in this state now.',
  allWallets: 'All wallets',
  noWallets: 'You have no pool wallet yet. Add one to take orders.',
  asOf: 'Read from the chain at block',
  notRead: 'not read yet',
  stale: 'The chain cannot be read at the moment. These are the latest known values.',
  role: 'Purpose',
  roles: { delegate: 'delegate', activate: 'activate' },
  states: { active: 'active', paused: 'paused', draining: 'draining' },
  restsUntil: (until: ComponentChildren, reason: string | undefined) =>
    filled`The network refuses the wallet’s transactions, so it takes no orders until ${until}. ${reason}`,
  restsForReclaims: (reason: string | undefined) =>
    filled`The network refuses the wallet’s reclaims, so it takes no orders until one is accepted. ${reason}`,
  delegable: 'Available to delegate, TRX',
  reserved: 'Reserved, TRX',
  liquid: 'TRX',
  bandwidth: 'Bandwidth',
  due: 'Upcoming transactions',
  pause: 'Pause',
  resume: 'Resume',
  drain: 'Drain',
  drainConfirmation: 'Drain this wallet?',
  drainText: 'The wallet takes no new orders until you resume it. Energy already delegated comes back on schedule.',
  resumeConfirmation: 'Resume this wallet?',
  resumeText: 'The wallet takes orders again, starting with the next one.',
  resumeDespite:
    'The wallet takes orders again although the problem above is unresolved. If its key is stolen, the thief can use everything the key may sign.',
  resumeReason: 'Reason',
  resumeReasonHint: 'Why the wallet may take orders. The audit log keeps it.',
  resumeReasonNeeded: 'Give a reason: the problem above is unresolved.',
  resumeReasonLong: 'A reason can have at most 300 characters.',
  actOn: (action: string, name: string) => `${action} ${name}`,
  changed: (name: string) => `${name} was changed. The change applies from the next order.`,
  walletsText: 'Paused and draining wallets take no new orders. Energy already delegated still comes back on schedule.',
  findingsText:
    'The service continuously checks balances, orders and the chain against each other. It fixes unambiguous errors by itself. A wallet with unexplained stake stops taking orders.',
  checkedAt: (at: ComponentChildren) =>
    filled`Last regular check of the chain and of recent changes (every row once a day): ${at}`,
  checkAgain: 'Check now',
  checkBegun: 'The full check has started. Its result appears on this page.',
  checkUnderWay: 'A full check is already running. Only one runs at a time.',
  checkBegan: (at: ComponentChildren, by: string | null) =>
    filled`A full check is running. Only one runs at a time. ${at} ${by}`,
  checkBrokeOff: 'The check stopped before its end and has no result. The log has the reason.',
  lookAgain: 'Refresh',
  lastCheck: (at: ComponentChildren, by: string | null) => filled`Last full check: ${at} ${by}`,
  neverChecked: 'No full check has been run yet.',
  checkedAll: (count: number, what: readonly string[]) => `${checked(count)} It checked ${what.join(', ')}.`,
  rows: {
    users: (count) => plural(count, 'user', 'users'),
    accounts: (count) => plural(count, 'account', 'accounts'),
    ledger_entries: (count) => plural(count, 'ledger entry', 'ledger entries'),
    subscriptions: (count) => plural(count, 'subscription', 'subscriptions'),
    deposits: (count) => plural(count, 'deposit', 'deposits'),
    token_days: (count) => plural(count, 'day of a token', 'days of tokens'),
    holds: (count) => plural(count, 'hold', 'holds'),
    delegations: (count) => plural(count, 'order', 'orders'),
    transactions: (count) => plural(count, 'transaction', 'transactions'),
    pairs: (count) => plural(count, 'pair of wallet and receiver', 'pairs of wallet and receiver'),
  } satisfies Counted,
  wasChecked: checked,
  neverAny: 'No check has found a problem so far.',
  allWell: 'No open findings: the last checks found no problem.',
  unreachable:
    'The node could not be reached, so nothing was compared. Fix that first: doctor on the command line says what is wrong.',
  stolenKey: 'may mean a stolen key',
  open: 'open',
  resolved: 'resolved',
  openOnly: 'Only open findings',
  resolvedToo: 'Show resolved',
  acknowledged: 'acknowledged',
  acknowledge: 'Acknowledge',
  acknowledgeOne: (subject: string) => `Acknowledge ${subject}`,
  acknowledgeConfirmation: 'Acknowledge this shortage?',
  acknowledgeText:
    'The stake is gone for good. The finding becomes history and the alarm ends. If more stake of this order turns out to be missing, a new finding appears.',
  acknowledgeFinding: 'Acknowledge this finding?',
  acknowledgeUse:
    'Acknowledge this if you know who made the transaction, or once the permission has a new key. The finding becomes history and the alarm ends. A wallet that was paused for it takes orders again unless another finding is open.',
  acknowledgeOfRemoved:
    'The wallet was removed, so no check covers it now. The finding becomes history and the alarm ends.',
  amountMissing: 'Missing (TRX)',
  noteHint: 'What happened and what you did about it. The finding and the audit log keep it.',
  noteNeeded: 'Enter a note of at most 500 characters.',
  wasAcknowledged: 'The shortage was acknowledged.',
  findingWasAcknowledged: 'The finding was acknowledged.',
  doneAboutIt: 'Action taken',
  firstSeen: 'First seen',
  lastSeen: 'Last seen',
  subject: 'Subject',
  kind: 'Finding',
  nextStep: 'Next step',
  noEntries:
    'No changes yet. This log records every action in this panel and on the command line, every wallet that the reconciler pauses, and every webhook that was given up.',
  noEntriesFound: 'No entry matches. Write a subject as the log does: its kind, a space, its name.',
  unknownWho: 'No user has this e-mail address.',
  whoHint: 'An e-mail address, or: command line, reconciler, webhooks, sign-in, stake care',
  who: 'Who',
  what: 'Action',
  outcome: 'Outcome',
  outcomes: { begun: 'begun', done: 'done', refused: 'refused', failed: 'failed' },
  commandLine: 'command line',
  services: { reconciler: 'reconciler', webhooks: 'webhooks', panel: 'sign-in', 'stake care': 'stake care' },
  changedFields: 'Changed',
  became: 'became',
  gone: 'none',
  showChange: 'Show',
  filter: 'Filter',
  subjectHint: 'e.g. user ann@example.com or wallet main',
};

function checked(count: number): string {
  return count === 0 ? 'Done: no problem found.' : `Done: ${plural(count, 'problem', 'problems')} found.`;
}
