import { CopyButton, useMessages } from '../layout/components';
import type { CustomerAnswer } from './customer-answer';

const ID = 'customer-answer';

/** Folded: it is for the one who was asked. Without script the text is selected and copied by hand. */
export function CustomerAnswerBox({ answer: { text, tag } }: { answer: CustomerAnswer }) {
  const messages = useMessages('answer');
  return (
    <details class="answer-box">
      <summary>{messages.forCustomer}</summary>
      <label for={ID}>{messages.forCustomerHint}</label>
      <textarea id={ID} lang={tag} rows={text.split('\n').length + 2} readonly>
        {text}
      </textarea>
      <CopyButton source={ID} name={messages.copyAnswer} done={messages.copied} />
    </details>
  );
}
