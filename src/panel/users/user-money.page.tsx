import { shortTrx, useMessages } from '../layout/components';
import { BalanceTiles } from '../money/balance.page';
import { HoldTable } from '../money/hold-table';
import { LedgerTable } from '../money/ledger-table';
import { MovementForm } from './movement.form';
import { tabPath, userPath } from './user-by-id.pipe';
import { UserFrame } from './user-frame';
import { formStateOf, type UserMoneyProps } from './user-page.props';

const ORDERS = '/panel/operator/orders';

/** A user's balance and every movement of it, and the form that moves it. */
export function UserMoneyPage(props: UserMoneyProps) {
  const { user, balance, holds, ledger, formState } = props;
  const messages = useMessages('user');
  const money = useMessages('money');
  return (
    <UserFrame {...props} tab="money">
      <h2>{messages.money}</h2>
      <BalanceTiles balance={balance} />
      <Warning {...props} />
      <MovementForm path={userPath(user)} {...formStateOf('movement', formState)} />
      <h2 id="holds">{money.holds}</h2>
      <HoldTable page={holds} orderPath={ORDERS} empty={money.noHoldsOfUser} />
      <LedgerTable
        ledger={ledger}
        orderPath={ORDERS}
        empty={money.noLedgerOfUser}
        path={tabPath(user, 'money')}
        statementPath={`${userPath(user)}/statement`}
      />
    </UserFrame>
  );
}

/** When the customer is told that the balance is low: only the customer sets it. */
function Warning({ balance: { lowBalanceSun, availableSun } }: UserMoneyProps) {
  const messages = useMessages('user');
  if (lowBalanceSun === null) {
    return (
      <p>
        <small>{messages.notWarned}</small>
      </p>
    );
  }
  const threshold = shortTrx(lowBalanceSun);
  if (availableSun < lowBalanceSun) return <p class="notice attention">{messages.lowBelow(threshold)}</p>;
  return (
    <p>
      <small>{messages.warnedBelow(threshold)}</small>
    </p>
  );
}
