import type { WalletState } from '../../chain/pool/wallets/pool-wallet.entity';
import { type ListedWalletRow, unfreezingEnergySun, type WalletRow } from '../../chain/pool/wallets/wallet-row';
import type { EnergyOutlookView } from '../../reporting/outlooks/energy-outlook';
import type { OrderOutlookView } from '../../reporting/outlooks/order-outlook';
import { GetButton } from '../layout/buttons';
import { useMessages } from '../layout/current-visit';
import { type Column, DataTable } from '../layout/data-table';
import { LongId } from '../layout/long-id';
import { Badge, groupDigits, Instant, Trx } from '../layout/values';
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
  const columns: Column<ListedWalletRow>[] = [
    { name: messages.name, heading: true, cell: (row) => <a href={walletPath(row)}>{row.name}</a> },
    { name: messages.state, cell: (row) => <WalletStateCell wallet={row} cause={causes.get(row.id)} /> },
    { name: messages.actions, cell: (row) => <WalletActions wallet={row} /> },
    { name: names.available, numeric: true, cell: (row) => <Available energy={energies?.get(row.name) ?? null} /> },
    { name: messages.stake, numeric: true, minor: true, cell: (row) => <Stake wallet={row} /> },
    { name: messages.liquid, numeric: true, cell: (row) => <Trx sun={row.balance_sun} /> },
    { name: messages.bandwidth, numeric: true, minor: true, cell: (row) => groupDigits(row.bandwidth) },
    { name: messages.address, cell: ({ address }) => <LongId value={address} /> },
  ];
  return (
    <>
      <div class="head">
        <h1>{messages.wallets}</h1>
        <GetButton action={`${WALLETS_PATH}/new`} text={names.newWallet} />
      </div>
      <p>{messages.walletsText}</p>
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
      <SwitchForm name="orders" state={orders.switch} />
      <SwitchForm name="reclaims" state={orders.reclaims} />
    </>
  );
}

/** With its role, and why it lends nothing. */
function WalletStateCell({ wallet, cause }: { wallet: WalletRow; cause: WalletCause | undefined }) {
  const names = useMessages('wallet');
  const messages = useMessages('operator');
  const { state, role, rests, resting_until: until, last_refusal: last } = wallet;
  return (
    <>
      <Badge tone={toneOf(state, cause)}>{messages.states[state]}</Badge>
      <small class="beneath">{messages.roles[role]}</small>
      {cause && cause !== state && cause !== 'rests' && <small class="beneath">{names.causes[cause]}</small>}
      {rests && until && <small class="beneath">{messages.restsUntil(<Instant at={until} />, last?.reason)}</small>}
    </>
  );
}

function Stake({ wallet }: { wallet: ListedWalletRow }) {
  const names = useMessages('wallet');
  const unfreezingSun = unfreezingEnergySun(wallet);
  return (
    <>
      <Trx sun={wallet.stake_sun} />
      {unfreezingSun > 0n && <small class="beneath">{names.unfreezingBeneath(<Trx sun={unfreezingSun} />)}</small>}
    </>
  );
}

function Available({ energy }: { energy: EnergyOutlookView | null }) {
  const messages = useMessages('energy');
  if (energy === null) return <>–</>;
  return (
    <>
      {groupDigits(energy.available)}
      <small class="beneath">{messages.transactions(groupDigits(energy.transactions))}</small>
    </>
  );
}

/** Green only where it lends. */
function toneOf(state: WalletState, cause: WalletCause | undefined) {
  if (cause === 'despite' || cause === 'quarantined' || cause === 'key') return 'bad';
  return cause && state === 'active' ? 'busy' : WALLET_TONES[state];
}
