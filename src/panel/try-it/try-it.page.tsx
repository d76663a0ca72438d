import { RENTAL_MINUTES } from '../../delegation/dto/delegate-request.dto';
import { CopyButton } from '../layout/copy-button';
import { useMessages } from '../layout/current-visit';
import { Checkbox, Choice, Field } from '../layout/fields';
import { FormKey } from '../layout/form-key';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { textOfCode } from '../messages/code-text';
import type { TrialAnswer } from './send-order';
import { curlOf, type TrialOrder } from './trial-order';

interface Props {
  readonly order: TrialOrder;
  readonly baseUrl: string;
  readonly answer?: TrialAnswer;
  readonly problem?: FormProblem;
}

export function TryItPage({ order, baseUrl, answer, problem }: Props) {
  const messages = useMessages('tryIt');
  const times = RENTAL_MINUTES.map((minutes) => [String(minutes), messages.minutes(minutes)] as const);
  return (
    <>
      <h1>{messages.title}</h1>
      <p>{messages.text}</p>
      {answer && <Answer answer={answer} />}
      <PostForm
        action="/panel/try-it"
        class="narrow"
        form={{ ...order, activate: order.activate ? 'yes' : '' }}
        problem={problem}
      >
        {/* After an answer the next order is another one. */}
        <FormKey form={answer ? undefined : { form_key: order.key }} />
        <Field name="receiver" label={messages.receiver} required spellcheck={false} />
        <Field name="amount" label={messages.amount} hint={messages.amountHint} inputmode="decimal" />
        <Choice name="time" label={messages.time} value={order.time} options={times} />
        <Checkbox name="activate" value="yes" label={messages.activate} hint={messages.activateHint} />
        <Field name="token" type="password" label={messages.token} hint={messages.tokenHint} autocomplete="off" />
        <div class="buttons">
          <button type="submit" name="do" value="show" class="secondary">
            {messages.show}
          </button>
          <button type="submit" name="do" value="send">
            {messages.send}
          </button>
        </div>
      </PostForm>
      <h2>{messages.call}</h2>
      <p>{messages.callText}</p>
      <pre class="breakable">
        <code id="call">{curlOf(order, baseUrl)}</code>
      </pre>
      <CopyButton source="call" name={messages.copy} done={messages.copied} />
    </>
  );
}

function Answer({ answer }: { answer: TrialAnswer }) {
  const messages = useMessages('tryIt');
  const meaning = useMessages('answer');
  const code = answer.headers.find(([name]) => name === 'x-error-code')?.[1] ?? null;
  const headers = answer.headers.map(([name, value]) => `${name}: ${value}`);
  return (
    <section role="status" class={answer.status === 200 ? 'notice' : 'notice refused'}>
      <h2>{messages.answer}</h2>
      {code !== null && (
        <p>
          {textOfCode(code, meaning.codes)} {meaning.notCharged.user}
        </p>
      )}
      <pre class="breakable">
        <code>{[`HTTP ${answer.status}`, ...headers, '', answer.body].join('\n')}</code>
      </pre>
      {answer.delegationId && <a href={`/panel/orders/${answer.delegationId}`}>{messages.order}</a>}
    </section>
  );
}
