import type { Balance } from '../../balance/balance.service';
import type { LedgerEntryView } from '../../balance/ledger.service';
import type { SignedInVisit } from '../http/page-context';
import type { PageOf } from '../layout/pager';
import { Instant, shortTrx, Tile } from '../layout/values';
import { HoldTable } from './hold-table';
import { LedgerTable } from './ledger-table';
import type { HoldRow } from './money.queries';
import { MONEY_WORDS } from '../messages/money.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly balance: Balance;
  readonly holds: PageOf<HoldRow>;
  readonly ledger: PageOf<LedgerEntryView>;
}

export function BalancePage({ visit, balance, holds, ledger }: Props) {
  const words = MONEY_WORDS[visit.locale];
  return (
    <>
      <h1>{words.title}</h1>
      <BalanceTiles visit={visit} balance={balance} />
      <h2 id="holds">{words.holds}</h2>
      <HoldTable visit={visit} page={holds} orderPath="/panel/orders" empty={words.noHolds} />
      <div class="head">
        <h2 id="ledger">{words.ledger}</h2>
        <a href="/panel/balance/ledger.csv" download>
          {words.download}
        </a>
      </div>
      <LedgerTable visit={visit} ledger={ledger} orderPath="/panel/orders" empty={words.noLedger} />
    </>
  );
}

export function BalanceTiles({ visit, balance }: Pick<Props, 'visit' | 'balance'>) {
  const words = MONEY_WORDS[visit.locale];
  return (
    <>
      <div class="tiles">
        <Tile name={words.available} value={shortTrx(balance.availableSun)} note="TRX" />
        <Tile name={words.held} value={shortTrx(balance.heldSun)} note={words.heldNote} />
        <Tile name={words.balance} value={shortTrx(balance.balanceSun)} note="TRX" />
      </div>
      <p>
        <small>
          {words.currency} {words.updated} <Instant at={balance.updatedAt} />
        </small>
      </p>
    </>
  );
}
