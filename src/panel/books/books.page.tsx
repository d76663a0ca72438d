import { transactionsLiteral } from '../../billing/energy-amount';
import type { TrialBalanceView } from '../../reporting/books/trial-balance';
import { LEDGER_KINDS } from '../../balance/balance.entities';
import { DataTable, groupDigits, shortTrx, Tile, Trx, useMessages } from '../layout/components';
import { type AskedMonth, MonthForm } from './asked-month';

export const BOOKS_PATH = '/panel/operator/books';

interface Props {
  readonly asked: AskedMonth;
  /** Null: no month that could be shown. */
  readonly balance: TrialBalanceView | null;
}

/** What all accounts held, what moved, and what they hold, of a month. */
export function BooksPage({ asked, balance }: Props) {
  const messages = useMessages('books');
  return (
    <>
      <div class="head">
        <h1>{messages.title}</h1>
        {balance && (
          <p class="buttons">
            <a href={`${BOOKS_PATH}/ledger.csv?month=${asked.month}`} download>
              {messages.download}
            </a>
          </p>
        )}
      </div>
      <p>{messages.text}</p>
      <MonthForm asked={asked} path={BOOKS_PATH} />
      {balance && <Content balance={balance} isOpen={asked.isOpen} month={asked.month} />}
    </>
  );
}

function Content({ balance, isOpen, month }: { balance: TrialBalanceView; isOpen: boolean; month: string }) {
  const messages = useMessages('books');
  const { openingSun, movementsSun, closingSun, holdsSun, accounts, fault } = balance;
  const kinds = useMessages('money').kinds;
  const moved = LEDGER_KINDS.map((kind) => ({
    name: kinds[kind],
    sun: movementsSun[kind],
    isMovement: true,
  }));
  const closing = isOpen ? messages.closingNow : messages.closing;
  return (
    <>
      {fault !== null && <p class="notice refused">{messages.fault}</p>}
      <h2>{`${messages.trialBalance} ${month}`}</h2>
      <DataTable
        name={messages.trialBalance}
        rows={[end(messages.opening, openingSun), ...moved, end(closing, closingSun)]}
        empty={messages.noMovements}
        columns={[
          { name: messages.what, heading: true, cell: ({ name }) => name },
          {
            name: messages.amount,
            numeric: true,
            cell: ({ sun, isMovement }) => <Trx sun={sun} signed={isMovement} />,
          },
        ]}
      />
      <div class="tiles">
        <Tile name={isOpen ? messages.holdsNow : messages.holds} value={shortTrx(holdsSun)} note="TRX" />
        <Tile name={messages.accounts} value={groupDigits(accounts)} />
      </div>
      <QuotaTable balance={balance} />
    </>
  );
}

const end = (name: string, sun: bigint) => ({ name, sun, isMovement: false });

function QuotaTable({ balance: { quota } }: { balance: TrialBalanceView }) {
  const messages = useMessages('books');
  const { sold, givenEnergy, used, expired } = quota;
  const rows = [
    { name: messages.sold, energy: sold.energy, sun: sold.priceSun as bigint | null },
    { name: messages.given, energy: givenEnergy, sun: null },
    { name: messages.used, energy: used, sun: null },
    { name: messages.expired, energy: expired, sun: null },
  ];
  return (
    <>
      <h2>{messages.quota}</h2>
      <DataTable
        name={messages.quota}
        rows={rows}
        empty={null}
        columns={[
          { name: messages.what, heading: true, cell: ({ name }) => name },
          {
            name: messages.transactions,
            numeric: true,
            cell: ({ energy }) => groupDigits(transactionsLiteral(energy)),
          },
          { name: messages.price, numeric: true, cell: ({ sun }) => sun !== null && <Trx sun={sun} /> },
        ]}
      />
      <p>
        <small>{messages.soldNote(shortTrx(sold.fromBalanceSun))}</small>
      </p>
    </>
  );
}
