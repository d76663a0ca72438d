import type { WalletState } from '../../chain/pool/wallets/pool-wallet.entity';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import type { EnergyOutlookView } from '../../reporting/outlooks/energy-outlook';
import type { OrderOutlookView } from '../../reporting/outlooks/order-outlook';
import type { SignedInPageContext } from '../http/page-context';
import { type Column, DataTable } from '../layout/data-table';
import { Problem } from '../layout/fields';
import { LongId } from '../layout/long-id';
import { Badge, groupDigits, Instant, Trx } from '../layout/values';
import { ENERGY_MESSAGES } from '../messages/energy.messages';
import { OPERATOR_MESSAGES } from '../messages/operator.messages';
import { OVERVIEW_MESSAGES } from '../messages/overview.messages';
import { WALLET_MESSAGES } from '../messages/wallet.messages';
import { NewOrdersNow } from '../switches/new-orders-now';
import { SwitchForm } from '../switches/switch.form';
import { WalletActions, WALLET_TONES } from './wallet-actions';
import { sickFirst, type WalletCause } from './wallet-causes';
import { walletPath, WALLETS_PATH } from './wallet-path';

interface Props {
  readonly pageContext: SignedInPageContext;
  /** By name; null: the chain's rate is not known. */
  readonly energies: ReadonlyMap<string, EnergyOutlookView> | null;
  readonly stale: boolean;
  readonly orders: OrderOutlookView;
  readonly causes: ReadonlyMap<string, WalletCause>;
  /** Only those that it is so with. */
  readonly why: WalletCause | null;
}

export function WalletPage(props: Props) {
  const messages = OPERATOR_MESSAGES[props.pageContext.locale];
  const { causes, why } = props;
  const wallets = sickFirst(props.orders.wallets, causes).filter(({ id }) => why === null || causes.get(id) === why);
  return (
    <>
      <div class="head">
        <h1>{messages.wallets}</h1>
        <form method="get" action={`${WALLETS_PATH}/new`}>
          <button type="submit">{WALLET_MESSAGES[props.pageContext.locale].newWallet}</button>
        </form>
      </div>
      <p>{messages.walletsText}</p>
      <NewOrdersNow pageContext={props.pageContext} orders={props.orders} />
      <Problem>{props.stale && props.orders.wallets.length > 0 ? messages.stale : null}</Problem>
      {why !== null && (
        <p>
          {OVERVIEW_MESSAGES[props.pageContext.locale].causes[why](wallets.length)}{' '}
          <a href={WALLETS_PATH}>{messages.allWallets}</a>
        </p>
      )}
      <DataTable
        pageContext={props.pageContext}
        name={messages.wallets}
        rows={wallets}
        columns={columns(props)}
        empty={<p>{why === null ? messages.noWallets : messages.noSuchWallets}</p>}
      />
      <SwitchForm pageContext={props.pageContext} name="orders" state={props.orders.switch} />
      <SwitchForm pageContext={props.pageContext} name="reclaims" state={props.orders.reclaims} />
    </>
  );
}

function columns({ pageContext, energies, causes }: Props): Column<WalletRow>[] {
  const messages = OPERATOR_MESSAGES[pageContext.locale];
  return [
    { name: messages.name, heading: true, cell: (row) => <a href={walletPath(row)}>{row.name}</a> },
    {
      name: messages.state,
      cell: (row) => <WalletStateCell pageContext={pageContext} wallet={row} cause={causes.get(row.id)} />,
    },
    { name: messages.actions, cell: (row) => <WalletActions pageContext={pageContext} wallet={row} /> },
    {
      name: WALLET_MESSAGES[pageContext.locale].available,
      numeric: true,
      cell: (row) => <Available pageContext={pageContext} energy={energies?.get(row.name) ?? null} />,
    },
    { name: messages.stake, numeric: true, minor: true, cell: (row) => <Trx sun={row.stake_sun} /> },
    { name: messages.liquid, numeric: true, cell: (row) => <Trx sun={row.balance_sun} /> },
    { name: messages.bandwidth, numeric: true, minor: true, cell: (row) => groupDigits(row.bandwidth) },
    { name: messages.address, cell: ({ address }) => <LongId value={address} /> },
  ];
}

interface StateProps {
  readonly pageContext: SignedInPageContext;
  readonly wallet: WalletRow;
  readonly cause: WalletCause | undefined;
}

/** With its role, and why it lends nothing. */
function WalletStateCell({ pageContext, wallet, cause }: StateProps) {
  const messages = OPERATOR_MESSAGES[pageContext.locale];
  const { state, role, rests, resting_until: until, last_refusal: last } = wallet;
  return (
    <>
      <Badge tone={toneOf(state, cause)}>{messages.states[state]}</Badge>
      <small class="beneath">{messages.roles[role]}</small>
      {cause && cause !== state && cause !== 'rests' && (
        <small class="beneath">{WALLET_MESSAGES[pageContext.locale].causes[cause]}</small>
      )}
      {rests && until && (
        <small class="beneath">
          {messages.restsUntil} <Instant at={until} /> {last?.reason}
        </small>
      )}
    </>
  );
}

function Available({ pageContext, energy }: { pageContext: SignedInPageContext; energy: EnergyOutlookView | null }) {
  if (energy === null) return <>–</>;
  return (
    <>
      {groupDigits(energy.available)}
      <small class="beneath">
        {ENERGY_MESSAGES[pageContext.locale].transactions(groupDigits(energy.transactions))}
      </small>
    </>
  );
}

/** Green only where it lends. */
function toneOf(state: WalletState, cause: WalletCause | undefined) {
  if (cause === 'despite' || cause === 'quarantined' || cause === 'key') return 'bad';
  return cause && state === 'active' ? 'busy' : WALLET_TONES[state];
}
