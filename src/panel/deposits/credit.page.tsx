import { formatTrx, trxLiteral } from '../../common/money/sun';
import type { DepositView } from '../../deposits/deposit-view';
import {
  Confirmation,
  type Fact,
  Facts,
  Field,
  type FormProblem,
  Instant,
  LongId,
  Trx,
  useMessages,
} from '../layout/components';
import { isCreditable } from './deposit-list.page';
import { DEPOSITS, creditPath, RATE } from './deposit-path';
import { DepositAmount, DepositBadge } from './deposit-table';

interface Props {
  readonly deposit: DepositView;
  /** Null: USDT, and no rate is in force. */
  readonly worth: bigint | null;
  readonly sunPerUsdt: bigint | null;
  readonly note: string;
  readonly problem?: FormProblem;
}

/** The question before an operator credits a deposit: whose, how much, and what the customer gets. */
export function CreditQuestion({ deposit, worth, sunPerUsdt, note, problem }: Props) {
  const messages = useMessages('deposit');
  const facts = useFacts({ deposit, worth, sunPerUsdt });
  if (worth === null || !isCreditable(deposit)) {
    return (
      <>
        <h1>{messages.creditTitle}</h1>
        <Facts facts={facts} />
        <p class="notice attention">
          {isCreditable(deposit) ? (
            <>
              {messages.needsRate} <a href={RATE}>{messages.changeRate}</a>
            </>
          ) : (
            messages.notCreditable
          )}
        </p>
        <p>
          <a href={DEPOSITS}>{messages.operatorTitle}</a>
        </p>
      </>
    );
  }
  return (
    <Confirmation
      title={messages.creditTitle}
      facts={facts}
      text={messages.creditText}
      action={creditPath(deposit)}
      fields={{ worth_sun: worth.toString() }}
      button={messages.creditNow(formatTrx(worth))}
      back={DEPOSITS}
      problem={problem}
    >
      <Field name="note" label={messages.note} hint={messages.noteHint} value={note} required autocomplete="off" />
    </Confirmation>
  );
}

function useFacts({ deposit, worth, sunPerUsdt }: Pick<Props, 'deposit' | 'worth' | 'sunPerUsdt'>): (Fact | false)[] {
  const messages = useMessages('deposit');
  const { txid } = deposit;
  const isUsdt = deposit.asset === 'USDT';
  return [
    [messages.user, deposit.user],
    [messages.amount, <DepositAmount key="amount" row={deposit} />],
    [messages.state, <DepositBadge key="state" state={deposit.state} />],
    deposit.waits_for !== null && [messages.why, messages.waitsFor[deposit.waits_for]],
    [messages.seenAt, <Instant key="seen" at={deposit.seen_at} />],
    [messages.address, <LongId key="address" value={deposit.address} />],
    txid !== null && [messages.txid, <LongId key="txid" value={txid} />],
    isUsdt && [messages.rate, sunPerUsdt === null ? messages.noRate : trxLiteral(sunPerUsdt)],
    worth !== null && [messages.worth, <Trx key="worth" sun={worth} />],
  ];
}
