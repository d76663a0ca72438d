import type { Visit } from '../http/page-context';
import { LAYOUT_WORDS } from '../messages/layout.messages';

type Words = (typeof LAYOUT_WORDS)['en'];
type Entry = readonly [path: string, name: keyof Words];

const YOURS: readonly Entry[] = [
  ['/panel/tokens', 'tokens'],
  ['/panel/balance', 'balance'],
  ['/panel/subscriptions', 'subscriptions'],
  ['/panel/orders', 'orders'],
  ['/panel/try-it', 'tryIt'],
  ['/panel/account', 'account'],
];
const OPERATING: readonly Entry[] = [
  ['/panel/operator', 'overview'],
  ['/panel/operator/wallets', 'wallets'],
  ['/panel/operator/users', 'users'],
  ['/panel/operator/orders', 'allOrders'],
  ['/panel/operator/findings', 'findings'],
  ['/panel/operator/audit-log', 'auditLog'],
];

export function Navigation({ visit }: { visit: Visit }) {
  const words = LAYOUT_WORDS[visit.locale];
  return (
    <nav class="menu" aria-label={words.panel}>
      {visit.user?.operator && <Section title={words.operating} entries={OPERATING} visit={visit} />}
      <Section title={words.yours} entries={YOURS} visit={visit} />
    </nav>
  );
}

function Section({ title, entries, visit }: { title: string; entries: readonly Entry[]; visit: Visit }) {
  const words = LAYOUT_WORDS[visit.locale];
  const path = visit.url.split('?', 1)[0]!;
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {entries.map(([href, name]) => (
          <li key={href}>
            <a href={href} aria-current={isHere(path, href, entries) ? 'page' : undefined}>
              {String(words[name])}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The longest entry that the path lies under. */
function isHere(path: string, href: string, entries: readonly Entry[]): boolean {
  const under = entries.map(([entry]) => entry).filter((entry) => path === entry || path.startsWith(`${entry}/`));
  return under.toSorted((a, b) => b.length - a.length)[0] === href;
}
