import { ERROR_ANSWERS, ERROR_CODES, type ErrorCode } from '../../common/errors/error-codes';
import { CodeLink, DataTable, useMessages } from '../layout/components';
import { Advice } from '../messages/advice';
import { REFUSED_PATH } from './refused-attempt.page';

/** Answered although a transaction may be on its way. */
const MAY_LAND: ReadonlySet<ErrorCode> = new Set(['OUTCOME_UNKNOWN', 'NODE_UNAVAILABLE', 'INTERNAL']);

/** Every code of the API in plain words. */
export function FailuresPage() {
  const messages = useMessages('refusal');
  const answers = useMessages('answer');
  return (
    <>
      <h1>{messages.allTitle}</h1>
      <p>{messages.allText}</p>
      <p class="buttons">
        <a href="/panel/orders">{messages.toOrders}</a>
        <a href={REFUSED_PATH}>{messages.title}</a>
      </p>
      <DataTable
        name={messages.allTitle}
        rows={ERROR_CODES}
        empty={null}
        columns={[
          { name: messages.code, heading: true, cell: (code) => <CodeLink code={code} /> },
          { name: messages.status, numeric: true, cell: (code) => ERROR_ANSWERS[code].status },
          { name: messages.reason, cell: (code) => answers.codes[code] },
          {
            name: messages.money,
            cell: (code) => (MAY_LAND.has(code) ? messages.notChargedLate : messages.notChargedEver),
          },
          { name: messages.todo, cell: (code) => <Advice code={code} /> },
        ]}
      />
    </>
  );
}
