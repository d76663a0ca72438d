import type { Messages } from '../messages/catalogues';
import { useVisit, useMessages } from './current-visit';

type Entry = readonly [path: string, name: keyof Messages['layout']];

const YOURS: readonly Entry[] = [
  ['/panel/home', 'home'],
  ['/panel/tokens', 'tokens'],
  ['/panel/webhooks', 'webhooks'],
  ['/panel/balance', 'balance'],
  ['/panel/top-up', 'topUp'],
  ['/panel/subscriptions', 'subscriptions'],
  ['/panel/orders', 'orders'],
  ['/panel/quote', 'quote'],
  ['/panel/try-it', 'tryIt'],
  ['/panel/account', 'account'],
];
const OPERATING: readonly Entry[] = [
  ['/panel/operator/today', 'today'],
  ['/panel/operator/business', 'business'],
  ['/panel/operator/earnings', 'earnings'],
  ['/panel/operator/books', 'books'],
  ['/panel/operator/deposits', 'deposits'],
  ['/panel/operator', 'overview'],
  ['/panel/operator/wallets', 'wallets'],
  ['/panel/operator/users', 'users'],
  ['/panel/operator/orders', 'allOrders'],
  ['/panel/operator/findings', 'findings'],
  ['/panel/operator/notices', 'notices'],
  ['/panel/operator/audit-log', 'auditLog'],
  ['/panel/operator/settings', 'settings'],
];

/** Where deposits are off, there is nothing to see. */
const WITH_DEPOSITS: ReadonlySet<Entry[1]> = new Set(['topUp', 'deposits']);

interface Props {
  /** null: not known, or not the reader's business. */
  readonly openFindings: number | null;
}

export function Navigation({ openFindings }: Props) {
  const { user } = useVisit();
  const messages = useMessages('layout');
  return (
    <nav class="menu" aria-label={messages.menu}>
      {user?.operator && <Section title={messages.operating} entries={OPERATING} openFindings={openFindings} />}
      <Section title={messages.yours} entries={YOURS} openFindings={null} />
    </nav>
  );
}

function Section({ title, entries, openFindings }: Props & { title: string; entries: readonly Entry[] }) {
  const { url, topUp } = useVisit();
  const messages = useMessages('layout');
  const path = url.split('?', 1)[0]!;
  const shown = entries.filter(([, name]) => topUp.deposits || !WITH_DEPOSITS.has(name));
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {shown.map(([href, name]) => (
          <li key={href}>
            <a href={href} aria-current={isHere(path, href, entries) ? 'page' : undefined}>
              {String(messages[name])}
              {name === 'findings' && <OpenFindings openFindings={openFindings} />}
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

/** Beside the menu's entry; a page that keeps up to date renews it too. */
export function OpenFindings({ openFindings }: Props) {
  const messages = useMessages('layout');
  return (
    <span id="open-findings" data-live-too>
      {openFindings !== null && openFindings > 0 && (
        <span class="count" title={messages.openFindings(openFindings)}>
          {openFindings}
        </span>
      )}
    </span>
  );
}
