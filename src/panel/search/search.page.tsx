import type { ReferencedMovement } from '../../balance/ledger.service';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import type { OrderView } from '../../delegation/lookup/order-lookup';
import type { ListedUser } from '../../users/user-list.repository';
import { dayIn } from '../dates/date-range';
import type { PanelUser } from '../http/visit';
import { DataTable, Instant, LongId, Trx, useMessages, useUserVisit } from '../layout/components';
import { ordersTo } from '../orders/order-list.page';
import { StateBadge } from '../orders/order-values';
import { RefusedAttemptTable } from '../refusals/refused-attempt.page';
import { UserLink } from '../users/user-link';
import { walletPath } from '../wallets/wallet-path';
import { type Found, MOST_FOUND } from './panel-search';

interface Props {
  /** As it was typed, trimmed. */
  readonly text: string;
  readonly found: Found;
  /** Where what was not found here can be looked up. */
  readonly elsewhere: string | null;
}

const listHref = ({ operator }: PanelUser) => `/panel/${operator ? 'operator/' : ''}orders`;
const orderHref = (user: PanelUser, { id }: OrderView) => `${listHref(user)}/${id}`;
/** The ledger of its day: there may be any number of entries after it. */
function movementHref({ operator, timeZone }: PanelUser, { userId, at }: ReferencedMovement): string {
  const day = dayIn(new Date(at), timeZone);
  return `${operator ? `/panel/operator/users/${userId}/money` : '/panel/balance'}?from=${day}&to=${day}#ledger`;
}
const userHref = ({ id }: ListedUser) => `/panel/operator/users/${id}`;

/** Where everything that was found is, of what has a page of its own. */
export function hrefsOf({ orders, users, wallets }: Found, user: PanelUser): string[] {
  return [...orders.map((order) => orderHref(user, order)), ...users.map(userHref), ...wallets.map(walletPath)];
}

export function SearchPage({ text, found, elsewhere }: Props) {
  const { user } = useUserVisit();
  const messages = useMessages('search');
  const { orders, users, wallets, movements, attempts } = found;
  const nothing = [orders, users, wallets, movements, attempts].every(({ length }) => length === 0);
  return (
    <>
      <h1>{messages.title}</h1>
      {text !== '' && nothing && <p class="notice attention">{messages.nothing(text)}</p>}
      {elsewhere !== null && (
        <p>
          <a href={elsewhere} rel="noreferrer" target="_blank">
            {messages.elsewhere}
          </a>
        </p>
      )}
      {nothing && <p>{user.operator ? messages.operatorHint : messages.userHint}</p>}
      {orders.length > 0 && <Orders orders={orders} />}
      {users.length > 0 && <Users users={users} />}
      {wallets.length > 0 && <Wallets wallets={wallets} />}
      {movements.length > 0 && <Movements movements={movements} />}
      {attempts.length > 0 && <Attempts attempts={attempts} />}
    </>
  );
}

function Orders({ orders }: { orders: readonly OrderView[] }) {
  const { user } = useUserVisit();
  const messages = useMessages('search');
  const names = useMessages('order');
  return (
    <>
      <h2>{messages.orders}</h2>
      <DataTable
        name={messages.orders}
        rows={orders}
        empty={null}
        columns={[
          {
            name: names.ordered,
            heading: true,
            cell: (order) => (
              <a href={orderHref(user, order)}>
                <Instant at={order.created_at} />
              </a>
            ),
          },
          { name: names.state, cell: (order) => <StateBadge order={order} /> },
          { name: names.user, cell: (order) => <UserLink user={order} /> },
          {
            name: names.receiver,
            cell: ({ receiver }) => <LongId value={receiver} href={ordersTo(listHref(user), receiver)} />,
          },
          { name: names.price, numeric: true, cell: ({ cost_sun: cost }) => <Trx sun={cost} /> },
          { name: names.txid, cell: ({ txid }) => txid && <LongId value={txid} /> },
        ]}
      />
      {orders.length === MOST_FOUND && <p class="caption">{messages.first(MOST_FOUND)}</p>}
    </>
  );
}

function Users({ users }: { users: readonly ListedUser[] }) {
  const messages = useMessages('search');
  const names = useMessages('user');
  return (
    <>
      <h2>{messages.users}</h2>
      <DataTable
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

function Wallets({ wallets }: { wallets: readonly WalletRow[] }) {
  const messages = useMessages('search');
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

function Movements({ movements }: Pick<Found, 'movements'>) {
  const { user } = useUserVisit();
  const messages = useMessages('search');
  const names = useMessages('user');
  return (
    <>
      <h2>{messages.movements}</h2>
      <DataTable
        name={messages.movements}
        rows={movements}
        empty={null}
        columns={[
          { name: names.email, heading: true, cell: (row) => <a href={movementHref(user, row)}>{row.user}</a> },
          { name: names.amount, numeric: true, cell: ({ amountSun }) => <Trx sun={amountSun} signed /> },
          { name: messages.booked, cell: ({ at }) => <Instant at={at} /> },
        ]}
      />
    </>
  );
}

function Attempts({ attempts }: Pick<Found, 'attempts'>) {
  const { operator } = useUserVisit().user;
  const messages = useMessages('search');
  const users = new Map(attempts.map(({ userId, user }) => [userId, user]));
  return (
    <>
      <h2>{messages.attempts}</h2>
      {operator && (
        <ul>
          {[...users].map(([id, email]) => (
            <li key={id}>
              <a href={`/panel/operator/users/${id}`}>{email}</a>
            </li>
          ))}
        </ul>
      )}
      <RefusedAttemptTable page={{ rows: attempts, next: null }} filtered={false} operating={operator} />
    </>
  );
}
