import type { WalletRow } from '../../chain/wallets/wallet-row';
import type { OrderView } from '../../delegation/lookup/order-lookup';
import type { ListedUser } from '../../users/user-list.repository';
import type { PanelUser, SignedInPageContext } from '../http/page-context';
import { DataTable } from '../layout/data-table';
import { LongId } from '../layout/long-id';
import { Instant, Trx } from '../layout/values';
import { ORDER_MESSAGES } from '../messages/order.messages';
import { SEARCH_MESSAGES } from '../messages/search.messages';
import { USER_MESSAGES } from '../messages/user.messages';
import { StateBadge } from '../orders/order-values';
import { walletPath } from '../wallets/wallet-path';
import { type Found, MOST_FOUND } from './panel-search';

interface Props {
  readonly pageContext: SignedInPageContext;
  /** As it was typed, trimmed. */
  readonly text: string;
  readonly found: Found;
}

const orderHref = ({ operator }: PanelUser, { id }: OrderView) => `/panel/${operator ? 'operator/' : ''}orders/${id}`;
const userHref = ({ id }: ListedUser) => `/panel/operator/users/${id}`;

/** Where everything that was found is. */
export function hrefsOf({ orders, users, wallets }: Found, user: PanelUser): string[] {
  return [...orders.map((order) => orderHref(user, order)), ...users.map(userHref), ...wallets.map(walletPath)];
}

export function SearchPage({ pageContext, text, found }: Props) {
  const messages = SEARCH_MESSAGES[pageContext.locale];
  const { orders, users, wallets } = found;
  const nothing = orders.length + users.length + wallets.length === 0;
  return (
    <>
      <h1>{messages.title}</h1>
      {text !== '' && nothing && <p class="notice attention">{messages.nothing(text)}</p>}
      {nothing && <p>{pageContext.user.operator ? messages.operatorHint : messages.userHint}</p>}
      {orders.length > 0 && <Orders pageContext={pageContext} orders={orders} />}
      {users.length > 0 && <Users pageContext={pageContext} users={users} />}
      {wallets.length > 0 && <Wallets pageContext={pageContext} wallets={wallets} />}
    </>
  );
}

function Orders({ pageContext, orders }: { pageContext: SignedInPageContext; orders: readonly OrderView[] }) {
  const messages = SEARCH_MESSAGES[pageContext.locale];
  const names = ORDER_MESSAGES[pageContext.locale];
  return (
    <>
      <h2>{messages.orders}</h2>
      <DataTable
        pageContext={pageContext}
        name={messages.orders}
        rows={orders}
        empty={null}
        columns={[
          {
            name: names.ordered,
            heading: true,
            cell: (order) => (
              <a href={orderHref(pageContext.user, order)}>
                <Instant at={order.created_at} />
              </a>
            ),
          },
          { name: names.state, cell: (order) => <StateBadge order={order} pageContext={pageContext} /> },
          { name: names.user, cell: ({ user }) => user },
          { name: names.receiver, cell: ({ receiver }) => <LongId value={receiver} /> },
          { name: names.price, numeric: true, cell: ({ cost_sun: cost }) => <Trx sun={cost} /> },
          { name: names.txid, cell: ({ txid }) => txid && <LongId value={txid} /> },
        ]}
      />
      {orders.length === MOST_FOUND && <p class="caption">{messages.first(MOST_FOUND)}</p>}
    </>
  );
}

function Users({ pageContext, users }: { pageContext: SignedInPageContext; users: readonly ListedUser[] }) {
  const messages = SEARCH_MESSAGES[pageContext.locale];
  const names = USER_MESSAGES[pageContext.locale];
  return (
    <>
      <h2>{messages.users}</h2>
      <DataTable
        pageContext={pageContext}
        name={messages.users}
        rows={users}
        empty={null}
        columns={[
          { name: names.email, heading: true, cell: (user) => <a href={userHref(user)}>{user.email}</a> },
          { name: names.name, cell: ({ name }) => name },
          { name: names.state, cell: ({ disabled }) => (disabled ? names.disabled : names.active) },
          { name: names.balance, numeric: true, cell: ({ balanceSun }) => <Trx sun={balanceSun} /> },
        ]}
      />
      {users.length === MOST_FOUND && <p class="caption">{messages.first(MOST_FOUND)}</p>}
    </>
  );
}

function Wallets({ pageContext, wallets }: { pageContext: SignedInPageContext; wallets: readonly WalletRow[] }) {
  const messages = SEARCH_MESSAGES[pageContext.locale];
  return (
    <>
      <h2>{messages.wallets}</h2>
      <ul>
        {wallets.map((wallet) => (
          <li key={wallet.name}>
            <a href={walletPath(wallet)}>{wallet.name}</a> <LongId value={wallet.address} />
          </li>
        ))}
      </ul>
    </>
  );
}
