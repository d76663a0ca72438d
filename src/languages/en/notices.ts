import { ERROR_ANSWERS } from '../../common/errors/error-codes';
import { trxLiteral } from '../../common/money/sun';
import { plural } from '../../common/plural';
import type { OrderRefusal } from '../../common/why-refused';
import { whyRefused } from './why-refused';

/** What notices say. */
export const notices = {
  finding: (kind: string, subject: string, reason: string, nextStep: string) =>
    `${kind}, ${subject}: ${reason}. What to do: ${nextStep}`,
  quarantine: (finding: string) => `A wallet takes no new orders until this is explained. ${finding}`,
  ordersFailing: (succeeded: number, answered: number) =>
    `Orders fail: of ${plural(answered, 'answer', 'answers')} in the last hour ${succeeded} were successes.`,
  ordersRefused: ({ code, why }: OrderRefusal) =>
    `No order can be taken now: each is refused with ${ERROR_ANSWERS[code].status} ${code}: ${whyRefused[why]}.`,
  nodeSetAside: (host: string, isLast: boolean) =>
    `The node ${host} is set aside: it fails or is behind.${isLast ? ' No other node works.' : ''}`,
  webhookDisabled: (host: string, email: string) =>
    `The webhook at ${host} of ${email} was disabled: it wanted no more, or had no success for five days.`,
  mailsLate: (count: number, minutes: number) =>
    `${plural(count, 'mail to a user waits', 'mails to users wait')}, the oldest for ${minutes} minutes: the page Sign-ups shows why.`,
  mailsGivenUp: (count: number) =>
    `${plural(count, 'mail to a user was', 'mails to users were')} given up after a day of attempts: the page Sign-ups shows why.`,
  signUps: (count: number, newest: string) =>
    count === 1
      ? `${newest} has signed up and waits: open the account or refuse it under Users, Sign-ups.`
      : `${count} sign-ups wait, the newest of ${newest}: open the accounts or refuse them under Users, Sign-ups.`,
  depositsWait: (count: number) =>
    `${plural(count, 'deposit waits', 'deposits wait')}, for a rate or for you: the page Deposits shows why.`,
  lowBalance: (availableSun: bigint, thresholdSun: bigint) =>
    `${trxLiteral(availableSun)} TRX can be spent, less than the ${trxLiteral(thresholdSun)} TRX below which you want to be told.`,
  test: 'This is a test of the notices. It was asked for in the panel.',
  operatorSubject: (site: string, count: number) => `${site}: ${plural(count, 'notice', 'notices')}`,
  glanceFact: (name: string, value: string, note: string) => `${name}: ${value}, ${note}`,
  glanceCustomers: (name: string, listed: readonly string[]) => `${name}: ${listed.join('; ')}`,
  glanceSubject: (site: string, verdict: string) => `${site}: ${verdict}`,
  customerSubject: (site: string) => `Your balance at ${site} is low`,
  more: (count: number) => `And ${count} more: see the findings in the panel.`,
  panel: (url: string) => `Panel: ${url}`,
};
