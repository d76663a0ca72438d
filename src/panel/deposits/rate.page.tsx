import { trxLiteral } from '../../common/money/sun';
import type { Form } from '../http/form';
import { Checkbox, Confirmation, Facts, Field, type FormProblem, GetForm, useMessages } from '../layout/components';
import { DEPOSITS, RATE } from './deposit-path';

/** Hidden in the question: the newest rate, or that there is none. */
export const NEWEST_RATE = 'newest_rate';
export const NO_RATE = 'none';

interface Props {
  /** The rate in force. */
  readonly sunNow: bigint | null;
}

/** The first step: it changes nothing, and leads to the question. */
export function RatePage({ sunNow, form, problem }: Props & { form: Form; problem?: FormProblem }) {
  const messages = useMessages('deposit');
  return (
    <div class="narrow">
      <h1>{messages.rateTitle}</h1>
      <Facts facts={[[messages.rateNow, sunNow === null ? messages.noRate : trxLiteral(sunNow)]]} />
      <p>{messages.rateText}</p>
      <GetForm action={RATE} label={messages.rateTitle} form={form} problem={problem}>
        <Field
          name="rate"
          label={messages.newRate}
          hint={messages.newRateHint}
          required
          inputmode="decimal"
          autocomplete="off"
        />
        <div class="buttons">
          <button type="submit">{messages.goOn}</button>
          {sunNow !== null && <a href={`${RATE}?off=yes`}>{messages.noNewRate}</a>}
          <a href={DEPOSITS}>{messages.cancel}</a>
        </div>
      </GetForm>
    </div>
  );
}

interface QuestionProps extends Props {
  readonly title: string;
  /** The newest rate, too old or not. */
  readonly newest: bigint | null;
  /** Null: USDT counts nothing from then on. */
  readonly sunPerUsdt: bigint | null;
  /** Deposits that wait for a rate. */
  readonly waiting: number;
}

/** The question before a rate holds. */
export function RateQuestion({ title, sunNow, newest, sunPerUsdt, waiting }: QuestionProps) {
  const messages = useMessages('deposit');
  const isOff = sunPerUsdt === null;
  const fields: Record<string, string> = {
    ...(isOff ? { off: 'yes' } : { rate: trxLiteral(sunPerUsdt) }),
    [NEWEST_RATE]: newest === null ? NO_RATE : trxLiteral(newest),
  };
  return (
    <Confirmation
      title={title}
      facts={[
        [messages.rateNow, sunNow === null ? messages.noRate : trxLiteral(sunNow)],
        [messages.rateThen, isOff ? messages.noRate : trxLiteral(sunPerUsdt)],
      ]}
      text={isOff ? messages.rateOffText : messages.rateText}
      action={RATE}
      fields={fields}
      button={isOff ? messages.noNewRate : messages.setRate}
      otherButton={
        !isOff && (
          <a href={`${RATE}?${new URLSearchParams({ rate: trxLiteral(sunPerUsdt), change: 'yes' }).toString()}`}>
            {messages.change}
          </a>
        )
      }
      back={DEPOSITS}
    >
      {!isOff && waiting > 0 && <Checkbox name="credit_waiting" value="yes" label={messages.creditWaiting(waiting)} />}
    </Confirmation>
  );
}
