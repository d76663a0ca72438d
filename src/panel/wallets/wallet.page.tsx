import type { WalletState } from '../../chain/pool/wallets/pool-wallet.entity';
import { type ListedWalletRow, unfreezingEnergySun, type WalletRow } from '../../chain/pool/wallets/wallet-row';
import { SUN_PER_TRX } from '../../common/money/sun';
import type { EnergyOutlookView } from '../../reporting/outlooks/energy-outlook';
import type { OrderOutlookView } from '../../reporting/outlooks/order-outlook';
import { GetButton } from '../layout/buttons';
import { useMessages } from '../layout/current-visit';
import { type Column, DataTable } from '../layout/data-table';
import { RowMenu } from '../layout/folds';
import { LongId } from '../layout/long-id';
import { Badge, groupDigits, Instant, shortTrx, Trx } from '../layout/values';
import { NewOrdersNow } from '../switches/new-orders-now';
import { SwitchForm } from '../switches/switch.form';
import { WalletActions, WALLET_TONES } from './wallet-actions';
import type { WalletCause } from '../../common/wallet-causes';
import { sickFirst } from '../../notices/attention/wallet-causes';
import { walletPath, WALLETS_PATH } from './wallet-path';

interface Props {
  /** By name; null: the chain's rate is not known. */
  readonly energies: ReadonlyMap<string, EnergyOutlookView> | null;
  readonly stale: boolean;
  readonly orders: OrderOutlookView;
  readonly causes: ReadonlyMap<string, WalletCause>;
  /** Only those that it is so with. */
  readonly why: WalletCause | null;
}

export function WalletPage({ energies, stale, orders, causes, why }: Props) {
  const overview = useMessages('overview');
  const messages = useMessages('operator');
  const names = useMessages('wallet');
  const wallets = sickFirst(orders.wallets, causes).filter(({ id }) => why === null || causes.get(id) === why);
  const available = ({ name }: WalletRow) => {
    const energy = energies?.get(name);
    return energy ? groupDigits(energy.available) : '–';
  };
  const columns: Column<ListedWalletRow>[] = [
    {
      name: messages.name,
      heading: true,
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
    { name: names.available, numeric: true, cell: available },
    { name: messages.stake, numeric: true, minor: true, cell: (row) => <Stake wallet={row} /> },
    { name: messages.liquid, numeric: true, cell: (row) => <WholeTrx sun={row.balance_sun} /> },
    { name: messages.bandwidth, numeric: true, minor: true, cell: (row) => groupDigits(row.bandwidth) },
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

/** Why it lends nothing, unless its state says that; or that it is there for something else. */
function Cause({ wallet, cause }: { wallet: WalletRow; cause: WalletCause | undefined }) {
  const names = useMessages('wallet');
  const messages = useMessages('operator');
  const { state, role, rests, resting_until: until, last_refusal: last } = wallet;
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
