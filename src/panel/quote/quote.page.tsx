import { LARGEST_WHOLE } from '../../billing/rounding';
import { formatTrx } from '../../common/money/sun';
import type { Quote } from '../../quote/quote';
import type { Form } from '../http/form';
import { useMessages } from '../layout/current-visit';
import { Checkbox, Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { GetForm } from '../layout/post-form';
import { Badge, type Fact, Facts, groupDigits, Instant, Tile } from '../layout/values';

/** As the API names them. */
export const QUOTE_FIELDS = ['receiver_address', 'amount', 'to', 'token', 'value', 'only_missing'] as const;

/** What an order would be and cost now. It reserves and promises nothing. */
export function QuotePage({ typed, quote, problem }: { typed: Form; quote?: Quote; problem?: FormProblem }) {
  const messages = useMessages('quote');
  return (
    <>
      <h1>{messages.title}</h1>
      <p>{messages.text}</p>
      {quote && <Answer quote={quote} />}
      <GetForm action="/panel/quote" class="narrow" label={messages.title} form={typed} problem={problem}>
        <Field name="receiver_address" label={messages.receiver} required spellcheck={false} />
        <Field name="amount" label={messages.amount} hint={messages.amountHint} inputmode="decimal" />
        <Field name="to" label={messages.to} hint={messages.toHint} spellcheck={false} />
        <Field name="value" label={messages.value} hint={messages.valueHint} inputmode="numeric" />
        <Field name="token" label={messages.token} hint={messages.tokenHint} spellcheck={false} />
        <Checkbox name="only_missing" value="1" label={messages.onlyMissing} />
        <button type="submit">{messages.ask}</button>
      </GetForm>
    </>
  );
}

function Answer({ quote }: { quote: Quote }) {
  const messages = useMessages('quote');
  const { transfer } = quote;
  const savedSun = quote.burnSun - quote.costSun - quote.activationSun;
  const facts: readonly (Fact | null)[] = [
    [messages.exists, messages.existing(quote.activated, quote.contract)],
    [messages.has, groupDigits(quote.energyLeft > 0n ? quote.energyLeft : 0n)],
    [messages.largest, groupDigits(quote.largestTransactions.toFixed())],
    transfer && [messages.transfer, groupDigits(transfer.energy)],
    transfer && [messages.succeeds, transfer.succeeds ? messages.yes : messages.no],
    [messages.quotedAt, <Instant key="at" at={quote.quotedAt} />],
  ];
  return (
    <section role="status" aria-label={messages.answer}>
      <p>
        <Badge tone={quote.available ? 'good' : 'bad'}>
          {quote.available ? messages.available : messages.notAvailable}
        </Badge>{' '}
        <Badge tone={quote.paidBy ? 'good' : 'bad'}>
          {quote.paidBy ? messages.paidBy[quote.paidBy] : messages.notPayable}
        </Badge>
      </p>
      <div class="tiles">
        <Tile
          name={messages.cost}
          value={formatTrx(quote.costSun)}
          note={quote.activationSun > 0n ? messages.activation(formatTrx(quote.activationSun)) : messages.noActivation}
        />
        <Tile
          name={messages.burn}
          value={formatTrx(quote.burnSun)}
          note={savedSun > 0n && messages.saved(formatTrx(savedSun))}
        />
        <Tile
          name={messages.energy}
          value={groupDigits(quote.energy ?? LARGEST_WHOLE)}
          note={messages.transactions(groupDigits(quote.transactions.toFixed()))}
        />
      </div>
      <Facts facts={facts} />
    </section>
  );
}
