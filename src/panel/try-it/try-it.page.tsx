import { RENTAL_MINUTES } from '../../delegation/dto/delegate-request.dto';
import type { SignedInVisit } from '../http/page-context';
import { CopyButton } from '../layout/copy-button';
import { LAYOUT_WORDS } from '../messages/layout.messages';
import { Checkbox, Choice, Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { FormKey } from '../layout/form-key';
import { PostForm } from '../layout/post-form';
import { ANSWER_WORDS, sentenceOf } from '../messages/answer.messages';
import type { TrialAnswer } from './send-order';
import { curlOf, type TrialOrder } from './trial-order';
import { TRY_IT_WORDS } from '../messages/try-it.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly order: TrialOrder;
  readonly baseUrl: string;
  readonly answer?: TrialAnswer;
  readonly problem?: FormProblem;
}

export function TryItPage({ visit, order, baseUrl, answer, problem }: Props) {
  const words = TRY_IT_WORDS[visit.locale];
  const times = RENTAL_MINUTES.map((minutes) => [String(minutes), words.minutes(minutes)] as const);
  return (
    <>
      <h1>{words.title}</h1>
      <p>{words.text}</p>
      {answer && <Answer visit={visit} answer={answer} />}
      <PostForm visit={visit} action="/panel/try-it" class="narrow" problem={problem}>
        {/* After an answer the next order is another one. */}
        <FormKey form={answer ? undefined : { form_key: order.key }} />
        <Field name="receiver" label={words.receiver} value={order.receiver} required spellcheck={false} />
        <Field name="amount" label={words.amount} hint={words.amountHint} value={order.amount} inputmode="decimal" />
        <Choice name="time" label={words.time} value={order.time} options={times} />
        <Checkbox
          name="activate"
          value="yes"
          label={words.activate}
          hint={words.activateHint}
          checked={order.activate}
        />
        <Field name="token" type="password" label={words.token} hint={words.tokenHint} autocomplete="off" />
        <div class="buttons">
          <button type="submit" name="do" value="show" class="secondary">
            {words.show}
          </button>
          <button type="submit" name="do" value="send">
            {words.send}
          </button>
        </div>
      </PostForm>
      <h2>{words.call}</h2>
      <p>{words.callText}</p>
      <pre class="breakable">
        <code id="call">{curlOf(order, baseUrl)}</code>
      </pre>
      <CopyButton source="call" name={words.copy} done={words.copied} selected={LAYOUT_WORDS[visit.locale].selected} />
    </>
  );
}

function Answer({ visit, answer }: { visit: SignedInVisit; answer: TrialAnswer }) {
  const words = TRY_IT_WORDS[visit.locale];
  const meaning = ANSWER_WORDS[visit.locale];
  const code = answer.headers.find(([name]) => name === 'x-error-code')?.[1] ?? null;
  const headers = answer.headers.map(([name, value]) => `${name}: ${value}`);
  return (
    <section role="status" class={answer.status === 200 ? 'notice' : 'notice refused'}>
      <h2>{words.answer}</h2>
      {code !== null && (
        <p>
          {sentenceOf(code, meaning)} {meaning.notCharged.user}
        </p>
      )}
      <pre class="breakable">
        <code>{[`HTTP ${answer.status}`, ...headers, '', answer.body].join('\n')}</code>
      </pre>
      {answer.delegationId && <a href={`/panel/orders/${answer.delegationId}`}>{words.order}</a>}
    </section>
  );
}
