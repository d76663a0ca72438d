import { STUCK_KINDS } from '../../../delegation/stuck-orders';
import type { SignedInVisit } from '../../http/visit';
import type { Overview } from './overview.queries';
import { OVERVIEW_WORDS } from './overview.words';

export interface Trouble {
  readonly text: string;
  readonly href: string;
}

type Words = (typeof OVERVIEW_WORDS)['en'];

export function troublesOf(words: Words, { stuck, wallets }: Overview): Trouble[] {
  const told = {
    overdue: words.overdue,
    failing: words.failing,
    undecided: words.undecided,
    abandoned: words.abandoned,
  };
  const all: readonly (Trouble | false)[] = [
    wallets.orders_paused && { text: words.ordersPaused, href: '/panel/operator/wallets' },
    wallets.lending === 0 && { text: words.noWallets, href: '/panel/operator/wallets' },
    wallets.idle > 0 && { text: words.wallets(wallets.idle), href: '/panel/operator/wallets' },
    ...STUCK_KINDS.map(
      (kind) => stuck[kind] > 0 && { text: told[kind](stuck[kind]), href: `/panel/operator/orders?stuck=${kind}` },
    ),
    wallets.findings > 0 && { text: words.findings(wallets.findings), href: '/panel/operator/findings' },
  ];
  return all.filter((trouble) => trouble !== false);
}

export function Attention({ visit, troubles }: { visit: SignedInVisit; troubles: readonly Trouble[] }) {
  const words = OVERVIEW_WORDS[visit.locale];
  if (troubles.length === 0) return <p class="notice">{words.nothing}</p>;
  return (
    <section class="notice refused" aria-label={words.attention}>
      <strong>{words.attention}</strong>
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
