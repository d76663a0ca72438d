import { STUCK_KINDS } from '../../delegation/lookup/stuck-orders';
import type { SignedInPageContext } from '../http/page-context';
import { NEW_ORDERS_MESSAGES, refusalText } from '../messages/new-orders.messages';
import { OVERVIEW_MESSAGES } from '../messages/overview.messages';
import type { Overview } from './overview.service';

type Level = 'attention' | 'trouble';

export interface Trouble {
  readonly text: string;
  readonly href: string;
  readonly level: Level;
}

/** Too few answers for a rate. Every failure counts as the service's own: a wrong call makes no order. */
const FEWEST_ANSWERS = 3;
const WELL_PERCENT = 95;
const BAD_PERCENT = 50;

const WALLETS = '/panel/operator/wallets';

export function troublesOf({ locale }: SignedInPageContext, overview: Overview): Trouble[] {
  const messages = OVERVIEW_MESSAGES[locale];
  const { stuck, newOrders, findings } = overview;
  const texts = {
    overdue: messages.overdue,
    failing: messages.failing,
    undecided: messages.undecided,
    abandoned: messages.abandoned,
  };
  const refusal = newOrders.refusal && refusalText(newOrders.refusal, NEW_ORDERS_MESSAGES[locale]);
  const all: readonly (Trouble | false | null)[] = [
    refusal !== null && { text: refusal, href: WALLETS, level: 'trouble' },
    failures(messages, overview),
    newOrders.unable > 0 && { text: messages.unable(newOrders.unable), href: WALLETS, level: 'attention' },
    newOrders.idle > 0 && { text: messages.wallets(newOrders.idle), href: WALLETS, level: 'attention' },
    ...STUCK_KINDS.filter((kind) => kind !== 'refused').map(
      (kind) =>
        stuck[kind] > 0 && {
          text: texts[kind](stuck[kind]),
          href: `/panel/operator/orders?stuck=${kind}`,
          level: 'attention' as const,
        },
    ),
    findings > 0 && { text: messages.findings(findings), href: '/panel/operator/findings', level: 'attention' },
  ];
  return all.filter((trouble): trouble is Trouble => Boolean(trouble));
}

/** Of the orders that were answered in the last hour. */
function failures(messages: (typeof OVERVIEW_MESSAGES)['en'], { lastHour }: Overview): Trouble | null {
  const { succeeded, failed } = lastHour;
  const answered = succeeded + failed;
  const isBelow = (percent: number) => succeeded * 100 < answered * percent;
  if (answered < FEWEST_ANSWERS || !isBelow(WELL_PERCENT)) return null;
  return {
    text: messages.failures(failed, answered),
    href: '/panel/operator/orders?stuck=refused',
    level: isBelow(BAD_PERCENT) ? 'trouble' : 'attention',
  };
}

export function Attention({
  pageContext,
  troubles,
}: {
  pageContext: SignedInPageContext;
  troubles: readonly Trouble[];
}) {
  const messages = OVERVIEW_MESSAGES[pageContext.locale];
  if (troubles.length === 0) return <p class="notice">{messages.nothing}</p>;
  const level: Level = troubles.some((trouble) => trouble.level === 'trouble') ? 'trouble' : 'attention';
  return (
    <section class={`notice ${level === 'trouble' ? 'refused' : 'attention'}`} aria-label={messages[level]}>
      <strong>{messages[level]}</strong>
      <ul>
        {troubles.map(({ text, href }) => (
          <li key={text}>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
