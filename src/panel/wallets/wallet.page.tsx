import type { WalletRow } from '../../chain/wallets/wallet-row';
import type { EnergyOutlookView } from '../../delegation/lookup/energy-outlook';
import type { OrderOutlookView } from '../../delegation/lookup/order-outlook';
import type { SignedInPageContext } from '../http/page-context';
import { type Column, DataTable } from '../layout/data-table';
import { Problem } from '../layout/fields';
import { LongId } from '../layout/long-id';
import { Badge, groupDigits, Instant, Trx } from '../layout/values';
import { ENERGY_MESSAGES } from '../messages/energy.messages';
import { OPERATOR_MESSAGES } from '../messages/operator.messages';
import { WALLET_MESSAGES } from '../messages/wallet.messages';
import { NewOrdersNow } from '../switches/new-orders-now';
import { SwitchForm } from '../switches/switch.form';
import { WalletActions, WALLET_TONES } from './wallet-actions';
import { walletPath, WALLETS_PATH } from './wallet-path';

interface Props {
  readonly pageContext: SignedInPageContext;
  /** By name; null: the chain's rate is not known. */
  readonly energies: ReadonlyMap<string, EnergyOutlookView> | null;
  readonly stale: boolean;
  readonly orders: OrderOutlookView;
}

export function WalletPage(props: Props) {
  const messages = OPERATOR_MESSAGES[props.pageContext.locale];
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
      <DataTable
        pageContext={props.pageContext}
        name={messages.wallets}
        rows={props.orders.wallets}
        columns={columns(props)}
        empty={<p>{messages.noWallets}</p>}
      />
      <SwitchForm pageContext={props.pageContext} name="orders" state={props.orders.switch} />
      <SwitchForm pageContext={props.pageContext} name="reclaims" state={props.orders.reclaims} />
    </>
  );
}

function columns({ pageContext, energies }: Props): Column<WalletRow>[] {
  const messages = OPERATOR_MESSAGES[pageContext.locale];
  return [
    { name: messages.name, heading: true, cell: (row) => <a href={walletPath(row)}>{row.name}</a> },
    { name: messages.state, cell: (row) => <WalletStateCell pageContext={pageContext} wallet={row} /> },
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

/** With its role, and why it rests. */
function WalletStateCell({ pageContext, wallet }: { pageContext: SignedInPageContext; wallet: WalletRow }) {
  const messages = OPERATOR_MESSAGES[pageContext.locale];
  const { state, role, rests, resting_until: until, last_refusal: last } = wallet;
  return (
    <>
      <Badge tone={WALLET_TONES[state]}>{messages.states[state]}</Badge>
      <small class="beneath">{messages.roles[role]}</small>
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
