import type { UserRecord } from '../../users/user.service';
import type { Balance } from '../../balance/balance.service';
import { formatTrx } from '../../common/money/sun';
import { type Form, textOf } from '../http/form';
import type { SignedInVisit } from '../http/page-context';
import { FormKey } from '../layout/form-key';
import { LAYOUT_WORDS } from '../messages/layout.messages';
import { PostForm } from '../layout/post-form';
import { Facts, Trx } from '../layout/values';
import { shownReference } from '../money/reference';
import { userPath } from './user-by-id.pipe';
import type { MovementAsked } from './user-form';
import { USER_WORDS } from '../messages/user.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly user: UserRecord;
  readonly balance: Balance;
  readonly movement: MovementAsked;
  readonly form: Form;
}

const FIELDS = ['kind', 'amount', 'note', 'reference'];

/** The last look before money moves: whose, how much, and what it leaves. */
export function MovementQuestionPage({ visit, user, balance, movement, form }: Props) {
  const words = USER_WORDS[visit.locale];
  const { kind, amountSun, note, reference } = movement;
  const signedSun = kind === 'credit' ? amountSun : -amountSun;
  const title = words.moveQuestion[kind];
  return (
    <>
      <h1>{title}</h1>
      <Facts
        facts={[
          [words.email, user.email],
          [words.name, user.name],
          [words.movement, words[kind]],
          [words.amount, <Trx key="amount" sun={signedSun} signed />],
          [words.reason, note],
          [words.reference, shownReference(reference) ?? '–'],
          [words.balanceNow, <Trx key="now" sun={balance.balanceSun} />],
          [words.balanceThen, <Trx key="then" sun={balance.balanceSun + signedSun} />],
        ]}
      />
      <PostForm visit={visit} action={`${userPath(user)}/movements`} label={title}>
        <FormKey form={form} />
        {FIELDS.map((name) => (
          <input key={name} type="hidden" name={name} value={textOf(form, name)} autocomplete="off" />
        ))}
        <div class="buttons">
          <button type="submit" name="step" value="book">
            {words.moveNow[kind](formatTrx(amountSun))}
          </button>
          <button type="submit" name="step" value="change" class="secondary">
            {words.change}
          </button>
          <a href={userPath(user)}>{LAYOUT_WORDS[visit.locale].cancel}</a>
        </div>
      </PostForm>
    </>
  );
}
