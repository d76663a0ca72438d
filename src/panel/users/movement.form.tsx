import type { Balance } from '../../balance/balance.service';
import { formatTrx } from '../../common/money/sun';
import type { UserRecord } from '../../users/user.service';
import { type Form, textOf } from '../http/form';
import {
  Choices,
  Confirmation,
  Field,
  FormKey,
  type FormProblem,
  PostForm,
  Trx,
  useMessages,
} from '../layout/components';
import { shownReference } from '../money/reference';
import { tabPath, userPath } from './user-by-id.pipe';
import type { RequestedMovement } from './user-form';

interface Props {
  readonly user: UserRecord;
  readonly balance: Balance;
  readonly movement: RequestedMovement;
  readonly form: Form;
}

const FIELDS = ['kind', 'amount', 'note', 'reference'];

/** The confirmation before money moves: whose, how much, and what it leaves. */
export function MovementConfirmationPage({ user, balance, movement, form }: Props) {
  const messages = useMessages('user');
  const { kind, amountSun, note, reference } = movement;
  const signedSun = kind === 'credit' ? amountSun : -amountSun;
  const typed = Object.fromEntries(FIELDS.map((name) => [name, textOf(form, name)]));
  return (
    <Confirmation
      title={messages.moveConfirmation[kind]}
      facts={[
        [messages.email, user.email],
        [messages.name, user.name],
        [messages.movement, messages[kind]],
        [messages.amount, <Trx key="amount" sun={signedSun} signed />],
        [messages.reason, note],
        [messages.reference, shownReference(reference) ?? '–'],
        [messages.balanceNow, <Trx key="now" sun={balance.balanceSun} />],
        [messages.balanceThen, <Trx key="then" sun={balance.balanceSun + signedSun} />],
      ]}
      action={`${userPath(user)}/movements`}
      fields={{ ...typed, step: 'book' }}
      button={messages.moveNow[kind](formatTrx(amountSun))}
      otherButton={
        <button type="submit" name="change" value="yes" class="secondary">
          {messages.change}
        </button>
      }
      back={tabPath(user, 'money')}
    >
      <FormKey form={form} />
    </Confirmation>
  );
}

/** Leads to a confirmation: Enter alone moves no money. */
export function MovementForm({ path, form, problem }: { path: string; form?: Form; problem?: FormProblem }) {
  const messages = useMessages('user');
  return (
    <PostForm action={`${path}/movements`} class="inline" label={messages.money} form={form} problem={problem}>
      <FormKey form={form} />
      <Choices
        type="radio"
        name="kind"
        label={messages.movement}
        required
        options={[
          { value: 'credit', label: messages.credit },
          { value: 'debit', label: messages.debit },
        ]}
      />
      <Field name="amount" label={messages.amount} required inputmode="decimal" autocomplete="off" />
      <Field name="note" label={messages.reason} hint={messages.reasonHint} required autocomplete="off" />
      <Field name="reference" label={messages.reference} hint={messages.referenceHint} autocomplete="off" />
      <button type="submit">{messages.goOn}</button>
    </PostForm>
  );
}
