import type { Balance } from '../../balance/balance.service';
import type { LedgerEntryView } from '../../balance/ledger.service';
import { transactionsLiteral } from '../../billing/energy-amount';
import type { SignedInVisit } from '../http/visit';
import { DataTable } from '../layout/data-table';
import type { PageOf } from '../layout/pager';
import { Instant, shortTrx, Tile, Trx } from '../layout/values';
import { LedgerTable } from './ledger-table';
import type { HoldRow } from './money.queries';
import { MONEY_WORDS } from './money.words';

interface Props {
  readonly visit: SignedInVisit;
  readonly balance: Balance;
  readonly holds: readonly HoldRow[];
  readonly ledger: PageOf<LedgerEntryView>;
}

export function BalancePage({ visit, balance, holds, ledger }: Props) {
  const words = MONEY_WORDS[visit.locale];
  return (
    <>
      <h1>{words.title}</h1>
      <BalanceTiles visit={visit} balance={balance} />
      <h2>{words.holds}</h2>
      <DataTable
        visit={visit}
        name={words.holds}
        rows={holds}
        empty={<p>{words.noHolds}</p>}
        columns={[
          {
            name: words.order,
            cell: (row) => (
              <a href={`/panel/orders/${row.delegation_id}`}>
                <code>{row.delegation_id}</code>
              </a>
            ),
          },
          { name: words.amount, numeric: true, cell: (row) => <Trx sun={row.amount_sun} /> },
          { name: words.quota, numeric: true, cell: (row) => transactionsLiteral(row.quota_energy) },
          { name: words.since, cell: (row) => <Instant at={row.created_at} /> },
        ]}
      />
      <div class="head">
        <h2>{words.ledger}</h2>
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
          {words.currency} {words.updated}: <Instant at={balance.updatedAt} />
        </small>
      </p>
    </>
  );
}
