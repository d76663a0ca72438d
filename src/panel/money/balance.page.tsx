import type { Balance } from '../../balance/balance.service';
import type { ListedHold } from '../../billing/hold-list.repository';
import { trxLiteral } from '../../common/money/sun';
import { GetButton } from '../layout/buttons';
import { useMessages, useVisit } from '../layout/current-visit';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import type { PageOf } from '../layout/pager';
import { PostForm } from '../layout/post-form';
import { Instant, shortTrx, Tile } from '../layout/values';
import { HoldTable } from './hold-table';
import { LedgerTable } from './ledger-table';
import type { LedgerOfRange } from './money-pages';
import { TOP_UP, TopUpText } from './top-up-text';

interface Props {
  readonly balance: Balance;
  readonly holds: PageOf<ListedHold>;
  readonly ledger: LedgerOfRange;
  /** Whether mails can be sent. */
  readonly mail: boolean;
  /** A threshold that was refused. */
  readonly typed?: string;
  readonly problem?: FormProblem;
}

export function BalancePage({ balance, holds, ledger, mail, typed, problem }: Props) {
  const messages = useMessages('money');
  return (
    <>
      <h1>{messages.title}</h1>
      <BalanceTiles balance={balance} />
      <TopUpSection />
      <LowBalanceForm balance={balance} mail={mail} typed={typed} problem={problem} />
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

/** Where deposits are on, their page says how. */
function TopUpSection() {
  const { deposits, text } = useVisit().topUp;
  const messages = useMessages('money');
  const { title } = useMessages('deposit');
  if (deposits) return <GetButton action={TOP_UP} text={title} />;
  if (text === undefined) return null;
  return (
    <>
      <h2 id="top-up">{messages.topUp}</h2>
      <TopUpText />
    </>
  );
}

function LowBalanceForm({ balance, mail, typed, problem }: Omit<Props, 'holds' | 'ledger'>) {
  const messages = useMessages('money');
  const { lowBalanceSun } = balance;
  return (
    <>
      <h2>{messages.lowBalance}</h2>
      <PostForm action="/panel/balance/low-balance" class="inline" problem={problem}>
        <Field
          name="low_balance"
          label={messages.lowBalanceField}
          hint={messages.lowBalanceHint(mail)}
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
