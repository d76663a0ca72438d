import { STUCK_KINDS } from '../../delegation/lookup/stuck-orders';
import type { SignedInVisit } from '../http/page-context';
import { NEW_ORDERS_WORDS, refusalText } from '../messages/new-orders.messages';
import type { Overview } from './overview.queries';
import { OVERVIEW_WORDS } from '../messages/overview.messages';

type Level = 'attention' | 'trouble';

export interface Trouble {
  readonly text: string;
  readonly href: string;
  readonly level: Level;
}

/** Fewer answers than this in an hour say nothing of a rate. Every failure among them is the service's own: what is wrong with a call makes no order. */
const FEWEST_ANSWERS = 3;
const WELL_PERCENT = 95;
const BAD_PERCENT = 50;

const WALLETS = '/panel/operator/wallets';

export function troublesOf({ locale }: SignedInVisit, overview: Overview): Trouble[] {
  const words = OVERVIEW_WORDS[locale];
  const { stuck, newOrders, findings } = overview;
  const told = {
    overdue: words.overdue,
    failing: words.failing,
    undecided: words.undecided,
    abandoned: words.abandoned,
  };
  const refusal = newOrders.refusal && refusalText(newOrders.refusal, NEW_ORDERS_WORDS[locale]);
  const all: readonly (Trouble | false | null)[] = [
    refusal !== null && { text: refusal, href: WALLETS, level: 'trouble' },
    failures(words, overview),
    newOrders.unable > 0 && { text: words.unable(newOrders.unable), href: WALLETS, level: 'attention' },
    newOrders.idle > 0 && { text: words.wallets(newOrders.idle), href: WALLETS, level: 'attention' },
    ...STUCK_KINDS.filter((kind) => kind !== 'refused').map(
      (kind) =>
        stuck[kind] > 0 && {
          text: told[kind](stuck[kind]),
          href: `/panel/operator/orders?stuck=${kind}`,
          level: 'attention' as const,
        },
    ),
    findings > 0 && { text: words.findings(findings), href: '/panel/operator/findings', level: 'attention' },
  ];
  return all.filter((trouble): trouble is Trouble => Boolean(trouble));
}

/** Of the orders that were answered in the last hour. */
function failures(words: (typeof OVERVIEW_WORDS)['en'], { lastHour }: Overview): Trouble | null {
  const { succeeded, failed } = lastHour;
  const answered = succeeded + failed;
  const isBelow = (percent: number) => succeeded * 100 < answered * percent;
  if (answered < FEWEST_ANSWERS || !isBelow(WELL_PERCENT)) return null;
  return {
    text: words.failures(failed, answered),
    href: '/panel/operator/orders?stuck=refused',
    level: isBelow(BAD_PERCENT) ? 'trouble' : 'attention',
  };
}

export function Attention({ visit, troubles }: { visit: SignedInVisit; troubles: readonly Trouble[] }) {
  const words = OVERVIEW_WORDS[visit.locale];
  if (troubles.length === 0) return <p class="notice">{words.nothing}</p>;
  const level: Level = troubles.some((trouble) => trouble.level === 'trouble') ? 'trouble' : 'attention';
  return (
    <section class={`notice ${level === 'trouble' ? 'refused' : 'attention'}`} aria-label={words[level]}>
      <strong>{words[level]}</strong>
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
