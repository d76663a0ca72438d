import type { Balance } from '../../balance/balance.service';
import type { ListedHold } from '../../billing/hold-list.repository';
import { trxLiteral } from '../../common/money/sun';
import { useMessages } from '../layout/current-visit';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import type { PageOf } from '../layout/pager';
import { PostForm } from '../layout/post-form';
import { Instant, shortTrx, Tile } from '../layout/values';
import { HoldTable } from './hold-table';
import { LedgerTable } from './ledger-table';
import type { LedgerOfRange } from './money-pages';
import { TopUpText } from './top-up-text';

interface Props {
  readonly balance: Balance;
  readonly holds: PageOf<ListedHold>;
  readonly ledger: LedgerOfRange;
  readonly topUpText: string | undefined;
  /** A threshold that was refused. */
  readonly typed?: string;
  readonly problem?: FormProblem;
}

export function BalancePage({ balance, holds, ledger, topUpText, typed, problem }: Props) {
  const messages = useMessages('money');
  return (
    <>
      <h1>{messages.title}</h1>
      <BalanceTiles balance={balance} />
      {topUpText !== undefined && (
        <>
          <h2 id="top-up">{messages.topUp}</h2>
          <TopUpText text={topUpText} />
        </>
      )}
      <LowBalanceForm balance={balance} typed={typed} problem={problem} />
      <h2 id="holds">{messages.holds}</h2>
      <HoldTable page={holds} orderPath="/panel/orders" empty={messages.noHolds} />
      <LedgerTable
        ledger={ledger}
        orderPath="/panel/orders"
        empty={messages.noLedger}
        path="/panel/balance"
        statementPath="/panel/balance/statement"
      />
    </>
  );
}

function LowBalanceForm({ balance, typed, problem }: Omit<Props, 'holds' | 'ledger' | 'topUpText'>) {
  const messages = useMessages('money');
  const { lowBalanceSun } = balance;
  return (
    <>
      <h2>{messages.lowBalance}</h2>
      <PostForm action="/panel/balance/low-balance" class="inline" problem={problem}>
        <Field
          name="low_balance"
          label={messages.lowBalanceField}
          hint={messages.lowBalanceHint}
          value={typed ?? (lowBalanceSun === null ? '' : trxLiteral(lowBalanceSun))}
          inputmode="decimal"
          autocomplete="off"
        />
        <button type="submit">{messages.save}</button>
      </PostForm>
    </>
  );
}

export function BalanceTiles({ balance }: Pick<Props, 'balance'>) {
  const messages = useMessages('money');
  return (
    <>
      <div class="tiles">
        <Tile name={messages.available} value={shortTrx(balance.availableSun)} note="TRX" />
        <Tile name={messages.held} value={shortTrx(balance.heldSun)} note={messages.heldNote} />
        <Tile name={messages.balance} value={shortTrx(balance.balanceSun)} note="TRX" />
      </div>
      <p>
        <small>{messages.updated(<Instant at={balance.updatedAt} />)}</small>
      </p>
    </>
  );
}
