import { ERROR_ANSWERS } from '../../common/errors/error-codes';
import { trxLiteral } from '../../common/money/sun';
import { plural } from '../../common/plural';
import type { OrderRefusal } from '../../common/why-refused';
import { whyRefused } from './why-refused';

/** What notices say. */
export const notices = {
  finding: (kind: string, subject: string, reason: string, nextStep: string) =>
    `${kind}, ${subject}: ${reason}. What to do: ${nextStep}`,
  quarantine: (finding: string) => `A wallet takes no new orders until this finding is explained. ${finding}`,
  ordersFailing: (succeeded: number, answered: number) =>
    `Orders are failing: ${succeeded} of ${plural(answered, 'order', 'orders')} in the last hour succeeded.`,
  ordersRefused: ({ code, why }: OrderRefusal) =>
    `New orders are refused with ${ERROR_ANSWERS[code].status} ${code}: ${whyRefused[why]}.`,
  nodeSetAside: (host: string, isLast: boolean) =>
    `The node ${host} is not used: it fails or is behind.${isLast ? ' No other node works.' : ''}`,
  webhookDisabled: (host: string, email: string) =>
    `The webhook at ${host} of ${email} was disabled: its server answered 410, or accepted no message for five days.`,
  mailsLate: (count: number, minutes: number) =>
    `${plural(count, 'mail to a user is', 'mails to users are')} waiting, the oldest for ${minutes} minutes. The page Sign-ups shows why.`,
  mailsRefused: (domains: number) =>
    `The mail server has refused the addresses of ${domains} domains and has taken no mail since: it may refuse every address. The page Sign-ups shows its answers.`,
  mailsGivenUp: (count: number) =>
    `${plural(count, 'mail to a user was', 'mails to users were')} given up after a day of attempts. The page Sign-ups shows why.`,
  signUps: (count: number, newest: string) =>
    count === 1
      ? `${newest} has signed up and is waiting: open the account or refuse it under Users, Sign-ups.`
      : `${count} sign-ups are waiting, the newest from ${newest}: open the accounts or refuse them under Users, Sign-ups.`,
  depositsWait: (count: number) =>
    `${plural(count, 'deposit waits', 'deposits wait')} for a rate or for you. The page Deposits shows why.`,
  lowBalance: (availableSun: bigint, thresholdSun: bigint) =>
    `${trxLiteral(availableSun)} TRX available, below your alert at ${trxLiteral(thresholdSun)} TRX.`,
  test: 'This is a test notice, sent from the panel.',
  operatorSubject: (site: string, count: number) => `${site}: ${plural(count, 'notice', 'notices')}`,
  glanceFact: (name: string, value: string, note: string) => `${name}: ${value}, ${note}`,
  glanceCustomers: (name: string, listed: readonly string[]) => `${name}: ${listed.join('; ')}`,
  glanceSubject: (site: string, verdict: string) => `${site}: ${verdict}`,
  customerSubject: (site: string) => `Your balance at ${site} is low`,
  more: (count: number) => `And ${count} more: see the findings in the panel.`,
  panel: (url: string) => `Panel: ${url}`,
};
