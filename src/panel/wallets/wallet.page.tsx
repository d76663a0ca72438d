import type { WalletState } from '../../chain/pool/wallets/pool-wallet.entity';
import { type ListedWalletRow, unfreezingEnergySun, type WalletRow } from '../../chain/pool/wallets/wallet-row';
import { SUN_PER_TRX } from '../../common/money/sun';
import type { EnergyOutlookView } from '../../reporting/outlooks/energy-outlook';
import type { OrderOutlookView } from '../../reporting/outlooks/order-outlook';
import { GetButton } from '../layout/buttons';
import { useMessages } from '../layout/current-visit';
import { type Column, DataTable, type Sort } from '../layout/data-table';
import { RowMenu } from '../layout/folds';
import { LongId } from '../layout/long-id';
import { Badge, groupDigits, Instant, shortTrx, Trx } from '../layout/values';
import { NewOrdersNow } from '../switches/new-orders-now';
import { SwitchForm } from '../switches/switch.form';
import { WalletActions, WALLET_TONES } from './wallet-actions';
import type { WalletCause } from '../../common/wallet-causes';
import { sickFirst } from '../../notices/attention/wallet-causes';
import { walletPath, WALLETS_PATH } from './wallet-path';

export const WALLET_SORTS = ['name', 'available', 'lent', 'stake', 'trx', 'bandwidth'] as const;
type WalletSort = (typeof WALLET_SORTS)[number];

interface Props {
  /** By name; null: the chain's rate is not known. */
  readonly energies: ReadonlyMap<string, EnergyOutlookView> | null;
  readonly stale: boolean;
  readonly orders: OrderOutlookView;
  readonly causes: ReadonlyMap<string, WalletCause>;
  /** Only those that it is so with. */
  readonly why: WalletCause | null;
  /** By a link of a column; null: the sick first, then those with most idle energy. */
  readonly sort: WalletSort | null;
}

export function WalletPage({ energies, stale, orders, causes, why, sort }: Props) {
  const overview = useMessages('overview');
  const messages = useMessages('operator');
  const names = useMessages('wallet');
  const valueOf = {
    name: () => 0n,
    available: ({ name }) => energies?.get(name)?.available ?? 0n,
    lent: ({ name }) => energies?.get(name)?.lent ?? 0n,
    stake: (row) => row.stake_sun,
    trx: (row) => row.balance_sun,
    bandwidth: (row) => row.bandwidth,
  } satisfies Record<WalletSort, (row: ListedWalletRow) => bigint>;
  const wanted = orders.wallets.filter(({ id }) => why === null || causes.get(id) === why);
  const wallets =
    sort === null ? sickFirst(mostFirst(wanted, valueOf.available), causes) : mostFirst(wanted, valueOf[sort]);
  const sumOf = (what: WalletSort) => wanted.reduce((sum, row) => sum + valueOf[what](row), 0n);
  const sortOf = (what: WalletSort): Sort => ({
    href: `${WALLETS_PATH}?${new URLSearchParams({ ...(why !== null && { why }), sort: what }).toString()}`,
    now: sort === what ? (what === 'name' ? 'ascending' : 'descending') : null,
  });
  const energy = (what: 'available' | 'lent') => ({
    numeric: true,
    sort: sortOf(what),
    cell: ({ name }: WalletRow) => (energies?.has(name) ? groupDigits(energies.get(name)![what]) : '–'),
    sum: energies && groupDigits(sumOf(what)),
  });
  const columns: Column<ListedWalletRow>[] = [
    {
      name: messages.name,
      heading: true,
      sort: sortOf('name'),
      sum: names.all(groupDigits(wanted.length)),
      cell: (row) => (
        <a class="clip" title={row.name} href={walletPath(row)}>
          {row.name}
        </a>
      ),
    },
    {
      name: messages.state,
      cell: ({ id, state }) => <Badge tone={toneOf(state, causes.get(id))}>{messages.states[state]}</Badge>,
    },
    { name: names.why, wide: true, cell: (row) => <Cause wallet={row} cause={causes.get(row.id)} /> },
    { name: names.available, ...energy('available') },
    { name: names.lent, minor: true, ...energy('lent') },
    {
      name: messages.stake,
      numeric: true,
      minor: true,
      sort: sortOf('stake'),
      sum: <WholeTrx sun={sumOf('stake')} />,
      cell: (row) => <Stake wallet={row} />,
    },
    {
      name: messages.liquid,
      numeric: true,
      sort: sortOf('trx'),
      sum: <WholeTrx sun={sumOf('trx')} />,
      cell: (row) => <WholeTrx sun={row.balance_sun} />,
    },
    {
      name: messages.bandwidth,
      numeric: true,
      minor: true,
      sort: sortOf('bandwidth'),
      cell: (row) => groupDigits(row.bandwidth),
    },
    { name: messages.address, minor: true, cell: ({ address }) => <LongId value={address} /> },
    {
      name: messages.actions,
      menu: true,
      cell: (row) => (
        <RowMenu of={row.name}>
          <WalletActions wallet={row} />
        </RowMenu>
      ),
    },
  ];
  return (
    <>
      <div class="head">
        <h1>{messages.wallets}</h1>
        <GetButton action={`${WALLETS_PATH}/new`} text={names.newWallet} />
      </div>
      <NewOrdersNow orders={orders} />
      {stale && orders.wallets.length > 0 && (
        <p class="notice refused" role="alert">
          {messages.stale}
        </p>
      )}
      {why !== null && (
        <p>
          {overview.causes[why](wallets.length)} <a href={WALLETS_PATH}>{messages.allWallets}</a>
        </p>
      )}
      <DataTable
        name={messages.wallets}
        rows={wallets}
        columns={columns}
        empty={why === null ? messages.noWallets : messages.noSuchWallets}
      />
      <p>{messages.walletsText}</p>
      <SwitchForm name="orders" state={orders.switch} />
      <SwitchForm name="reclaims" state={orders.reclaims} />
    </>
  );
}

/** Those with equal values by name, as they were read. */
function mostFirst(rows: readonly ListedWalletRow[], valueOf: (row: ListedWalletRow) => bigint): ListedWalletRow[] {
  return rows.toSorted((a, b) => Number(valueOf(b) > valueOf(a)) - Number(valueOf(b) < valueOf(a)));
}

/** Why it lends nothing, unless its state says that; or that it is there for something else. */
function Cause({ wallet, cause }: { wallet: WalletRow; cause: WalletCause | undefined }) {
  const names = useMessages('wallet');
  const messages = useMessages('operator');
  const { state, role, rests, resting_until: until, last_refusal: last } = wallet;
  if (rests && last?.purpose === 'reclaim') return <>{messages.restsForReclaims(last.reason)}</>;
  if (rests && until) return <>{messages.restsUntil(<Instant at={until} />, last?.reason)}</>;
  if (cause && cause !== state) return <span title={names.causes[cause]}>{names.causes[cause]}</span>;
  return role === 'activate' ? <>{names.activateHint}</> : null;
}

/** At a glance; a pointer shows the rest. */
function WholeTrx({ sun }: { sun: bigint }) {
  return <span title={shortTrx(sun)}>{groupDigits(sun / SUN_PER_TRX)}</span>;
}

function Stake({ wallet }: { wallet: ListedWalletRow }) {
  const names = useMessages('wallet');
  const unfreezingSun = unfreezingEnergySun(wallet);
  return (
    <>
      <WholeTrx sun={wallet.stake_sun} />
      {unfreezingSun > 0n && <small class="beneath">{names.unfreezingBeneath(<Trx sun={unfreezingSun} />)}</small>}
    </>
  );
}

/** Green only where it lends. */
function toneOf(state: WalletState, cause: WalletCause | undefined) {
  if (cause === 'despite' || cause === 'quarantined' || cause === 'key') return 'bad';
  return cause && state === 'active' ? 'busy' : WALLET_TONES[state];
}
