import type { Balance } from '../../balance/balance.service';
import { formatTrx } from '../../common/money/sun';
import type { UserRecord } from '../../users/user.service';
import { type Form, textOf } from '../http/form';
import type { SignedInPageContext } from '../http/page-context';
import { FormKey } from '../layout/form-key';
import { PostForm } from '../layout/post-form';
import { Facts, Trx } from '../layout/values';
import { LAYOUT_MESSAGES } from '../messages/layout.messages';
import { USER_MESSAGES } from '../messages/user.messages';
import { shownReference } from '../money/reference';
import { tabPath, userPath } from './user-by-id.pipe';
import type { RequestedMovement } from './user-form';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly user: UserRecord;
  readonly balance: Balance;
  readonly movement: RequestedMovement;
  readonly form: Form;
}

const FIELDS = ['kind', 'amount', 'note', 'reference'];

/** The confirmation before money moves: whose, how much, and what it leaves. */
export function MovementConfirmationPage({ pageContext, user, balance, movement, form }: Props) {
  const messages = USER_MESSAGES[pageContext.locale];
  const { kind, amountSun, note, reference } = movement;
  const signedSun = kind === 'credit' ? amountSun : -amountSun;
  const title = messages.moveConfirmation[kind];
  return (
    <>
      <h1>{title}</h1>
      <Facts
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
      />
      <PostForm pageContext={pageContext} action={`${userPath(user)}/movements`} label={title}>
        <FormKey form={form} />
        {FIELDS.map((name) => (
          <input key={name} type="hidden" name={name} value={textOf(form, name)} autocomplete="off" />
        ))}
        <div class="buttons">
          <button type="submit" name="step" value="book">
            {messages.moveNow[kind](formatTrx(amountSun))}
          </button>
          <button type="submit" name="step" value="change" class="secondary">
            {messages.change}
          </button>
          <a href={tabPath(user, 'money')}>{LAYOUT_MESSAGES[pageContext.locale].cancel}</a>
        </div>
      </PostForm>
    </>
  );
}
