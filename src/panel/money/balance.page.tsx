import type { Balance } from '../../balance/balance.service';
import type { ListedHold } from '../../billing/hold-list.repository';
import { trxLiteral } from '../../common/money/sun';
import type { SignedInPageContext } from '../http/page-context';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import type { PageOf } from '../layout/pager';
import { PostForm } from '../layout/post-form';
import { Instant, shortTrx, Tile } from '../layout/values';
import { MONEY_MESSAGES } from '../messages/money.messages';
import { HoldTable } from './hold-table';
import { LedgerTable } from './ledger-table';
import type { LedgerOfRange } from './money-pages';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly balance: Balance;
  readonly holds: PageOf<ListedHold>;
  readonly ledger: LedgerOfRange;
  /** A threshold that was refused. */
  readonly typed?: string;
  readonly problem?: FormProblem;
}

export function BalancePage({ pageContext, balance, holds, ledger, typed, problem }: Props) {
  const messages = MONEY_MESSAGES[pageContext.locale];
  return (
    <>
      <h1>{messages.title}</h1>
      <BalanceTiles pageContext={pageContext} balance={balance} />
      <LowBalanceForm pageContext={pageContext} balance={balance} typed={typed} problem={problem} />
      <h2 id="holds">{messages.holds}</h2>
      <HoldTable pageContext={pageContext} page={holds} orderPath="/panel/orders" empty={messages.noHolds} />
      <LedgerTable
        pageContext={pageContext}
        ledger={ledger}
        orderPath="/panel/orders"
        empty={messages.noLedger}
        path="/panel/balance"
      />
    </>
  );
}

function LowBalanceForm({ pageContext, balance, typed, problem }: Omit<Props, 'holds' | 'ledger'>) {
  const messages = MONEY_MESSAGES[pageContext.locale];
  const { lowBalanceSun } = balance;
  return (
    <>
      <h2>{messages.lowBalance}</h2>
      <PostForm pageContext={pageContext} action="/panel/balance/low-balance" class="inline" problem={problem}>
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
