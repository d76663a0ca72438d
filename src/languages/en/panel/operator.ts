import type { ComponentChildren } from 'preact';
import { plural } from '../../../common/plural';
import { filled } from '../../filled';

type Counted = Readonly<Record<string, (count: string) => string>>;

/** What the pages for operators share: wallets, findings and the audit log. Users and the overview have messages of their own. */
export const operator = {
  noSuchWallets: 'No wallet is in this state any more.',
  allWallets: 'All wallets',
  noWallets: 'There is no pool wallet yet. Add one to take orders.',
  asOf: 'Read from the chain at block',
  notRead: 'not read yet',
  stale: 'The chain could not be read just now: these are the last readings.',
  role: 'Role',
  roles: { delegate: 'delegate', activate: 'activate' },
  states: { active: 'active', paused: 'paused', draining: 'draining' },
  restsUntil: (until: ComponentChildren, reason: string | undefined) =>
    filled`Its transactions are refused for what stands below. No new orders until ${until} ${reason}`,
  delegable: 'Delegable, TRX',
  reserved: 'Reserved, TRX',
  liquid: 'TRX',
  bandwidth: 'Bandwidth',
  due: 'Transactions due',
  pause: 'Pause',
  resume: 'Resume',
  drain: 'Drain',
  drainConfirmation: 'Drain this wallet?',
  drainText: 'It takes no new orders until it is resumed; what it has lent comes back as planned.',
  resumeConfirmation: 'Resume this wallet?',
  resumeText: 'It takes orders again, from the next one on.',
  resumeDespite:
    'It takes orders again, from the next one on, although the above is not explained. Whoever has its key has all that it may sign.',
  resumeReason: 'Reason',
  resumeReasonHint: 'why it may lend all the same; kept in the audit log',
  resumeReasonNeeded: 'Say why the wallet may lend although the above is not explained.',
  resumeReasonLong: 'The reason has at most 300 characters.',
  actOn: (action: string, name: string) => `${action} ${name}`,
  changed: (name: string) => `${name} was changed. It takes effect with the next order.`,
  walletsText:
    'Paused wallets take no new orders; draining ones neither, until all is back and they can go. Reclaims always go on.',
  findingsText:
    'Money with itself, orders with their time, chain and database with each other. What has only one right value is repaired automatically; a wallet whose stake is not explained takes no new orders.',
  checkedAt: (at: ComponentChildren) =>
    filled`Last regular check that was completed, of the chain and of what had changed since the one before (of every row once a day): ${at}`,
  checkAgain: 'Check now',
  checkBegun: 'The check of everything has begun. Its result will stand on this page.',
  checkUnderWay: 'A check of everything is under way; there is one at a time.',
  checkBegan: (at: ComponentChildren, by: string | null) =>
    filled`A check of everything is under way; there is one at a time. ${at} ${by}`,
  checkBrokeOff: 'It broke off before it was over, so it says nothing. The log has the reason.',
  lookAgain: 'Look again',
  lastCheck: (at: ComponentChildren, by: string | null) => filled`Last check of everything: ${at} ${by}`,
  neverChecked: 'Nobody has begun a check of everything here yet.',
  checkedAll: (count: number, what: readonly string[]) => `${checked(count)} It looked at ${what.join(', ')}.`,
  rows: {
    users: (count) => plural(count, 'user', 'users'),
    accounts: (count) => plural(count, 'account', 'accounts'),
    ledger_entries: (count) => plural(count, 'ledger entry', 'ledger entries'),
    subscriptions: (count) => plural(count, 'subscription', 'subscriptions'),
    token_days: (count) => plural(count, 'day of a token', 'days of tokens'),
    holds: (count) => plural(count, 'hold', 'holds'),
    delegations: (count) => plural(count, 'order', 'orders'),
    transactions: (count) => plural(count, 'transaction', 'transactions'),
    pairs: (count) => plural(count, 'pair of wallet and receiver', 'pairs of wallet and receiver'),
  } satisfies Counted,
  wasChecked: checked,
  neverAny: 'No check has ever found anything.',
  allWell: 'Nothing is open: the last checks found nothing.',
  unreachable:
    'The node could not be reached, so nothing was compared. Fix that first: on the command line, doctor says what is wrong.',
  stolenKey: 'may mean a stolen key',
  open: 'open',
  resolved: 'gone',
  openOnly: 'Only what is open',
  resolvedToo: 'With what is gone or acknowledged',
  acknowledged: 'acknowledged',
  acknowledge: 'Acknowledge',
  acknowledgeOne: (subject: string) => `Acknowledge ${subject}`,
  acknowledgeConfirmation: 'Acknowledge this shortage?',
  acknowledgeText:
    'The stake is gone for good, and so is its trace on the chain: the finding becomes history, and the alarm ends. Should more of this order turn out to be missing, it is found again.',
  acknowledgeFinding: 'Acknowledge this finding?',
  acknowledgeUse:
    'Acknowledge it if you know who made this transaction, or once the permission has a new key. The finding becomes history, the alarm ends, and a wallet that was paused for it takes orders again, where nothing else is open about it.',
  acknowledgeOfRemoved:
    'Its wallet was removed, so no check looks at it any more: the finding becomes history, and the alarm ends.',
  amountMissing: 'Missing (TRX)',
  noteHint: 'what it was, and what was done about it; kept with the finding and in the audit log',
  noteNeeded: 'A note is needed. It has at most 500 characters.',
  wasAcknowledged: 'The shortage was acknowledged.',
  findingWasAcknowledged: 'The finding was acknowledged.',
  doneAboutIt: 'Done about it',
  firstSeen: 'First seen',
  lastSeen: 'Last seen',
  subject: 'Subject',
  kind: 'Finding',
  nextStep: 'Next step',
  noEntries:
    'No operator has changed anything yet. Every action in this panel and on the command line is written down here, every wallet that the reconciler pauses, and every webhook that was given up.',
  noEntriesFound: 'Nothing in the log matches. Write a subject as the log does: its kind, a blank, its name.',
  unknownWho: 'Nobody has this e-mail address.',
  whoHint: 'an e-mail address, or: command line, reconciler, webhooks',
  who: 'Who',
  what: 'Action',
  outcome: 'Outcome',
  outcomes: { begun: 'begun', done: 'done', refused: 'refused', failed: 'failed' },
  commandLine: 'command line',
  services: { reconciler: 'reconciler', webhooks: 'webhooks', panel: 'sign-in', 'stake care': 'stake care' },
  changedFields: 'Changed',
  became: 'became',
  gone: 'nothing',
  showChange: 'Show',
  filter: 'Filter',
  subjectHint: 'e.g. user ann@example.com or wallet main',
};

function checked(count: number): string {
  return count === 0 ? 'Checked: nothing was found.' : `Checked: ${count} found.`;
}
