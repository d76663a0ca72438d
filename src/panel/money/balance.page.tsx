import type { Balance } from '../../balance/balance.service';
import type { LedgerEntryView } from '../../balance/ledger.service';
import type { ListedHold } from '../../billing/hold-list.repository';
import type { SignedInPageContext } from '../http/page-context';
import type { PageOf } from '../layout/pager';
import { Instant, shortTrx, Tile } from '../layout/values';
import { MONEY_MESSAGES } from '../messages/money.messages';
import { HoldTable } from './hold-table';
import { LedgerTable } from './ledger-table';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly balance: Balance;
  readonly holds: PageOf<ListedHold>;
  readonly ledger: PageOf<LedgerEntryView>;
}

export function BalancePage({ pageContext, balance, holds, ledger }: Props) {
  const messages = MONEY_MESSAGES[pageContext.locale];
  return (
    <>
      <h1>{messages.title}</h1>
      <BalanceTiles pageContext={pageContext} balance={balance} />
      <h2 id="holds">{messages.holds}</h2>
      <HoldTable pageContext={pageContext} page={holds} orderPath="/panel/orders" empty={messages.noHolds} />
      <div class="head">
        <h2 id="ledger">{messages.ledger}</h2>
        <a href="/panel/balance/ledger.csv" download>
          {messages.download}
        </a>
      </div>
      <LedgerTable pageContext={pageContext} ledger={ledger} orderPath="/panel/orders" empty={messages.noLedger} />
    </>
  );
}

export function BalanceTiles({ pageContext, balance }: Pick<Props, 'pageContext' | 'balance'>) {
  const messages = MONEY_MESSAGES[pageContext.locale];
  return (
    <>
      <div class="tiles">
        <Tile name={messages.available} value={shortTrx(balance.availableSun)} note="TRX" />
        <Tile name={messages.held} value={shortTrx(balance.heldSun)} note={messages.heldNote} />
        <Tile name={messages.balance} value={shortTrx(balance.balanceSun)} note="TRX" />
      </div>
      <p>
        <small>
          {messages.currency} {messages.updated} <Instant at={balance.updatedAt} />
        </small>
      </p>
    </>
  );
}
