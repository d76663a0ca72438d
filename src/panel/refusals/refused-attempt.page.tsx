import type { RefusedAttemptView } from '../../reporting/refusals/refused-attempt.repository';
import type { AskedRange } from '../dates/date-range';
import { RangeForm } from '../dates/date-range.form';
import {
  CodeLink,
  type Column,
  groupDigits,
  Instant,
  ListTable,
  LongId,
  type PageOf,
  useMessages,
} from '../layout/components';
import { Advice } from '../messages/advice';
import { textOfCode } from '../messages/code-text';
import { searchHref } from '../search/search-path';

interface Props {
  readonly asked: AskedRange;
  readonly page: PageOf<RefusedAttemptView>;
}

export const REFUSED_PATH = '/panel/orders/refused';
export const FAILURES_PATH = '/panel/orders/failures';

/** A customer's own attempts that never became an order: why, that they cost nothing, and what to do. */
export function RefusedAttemptPage({ asked, page }: Props) {
  const messages = useMessages('refusal');
  return (
    <>
      <h1>{messages.title}</h1>
      <p>{messages.text}</p>
      <p class="buttons">
        <a href="/panel/orders">{messages.toOrders}</a>
        <a href={FAILURES_PATH}>{messages.all}</a>
      </p>
      <RangeForm asked={asked} action={REFUSED_PATH} all />
      <RefusedAttemptTable page={page} filtered={asked.range !== null} />
    </>
  );
}

export function RefusedAttemptTable({
  page,
  filtered,
  operating = false,
}: Omit<Props, 'asked'> & { readonly filtered: boolean; readonly operating?: boolean }) {
  const messages = useMessages('refusal');
  return (
    <ListTable
      name={messages.title}
      page={page}
      columns={useColumns(operating)}
      empty={filtered ? messages.emptyRange : messages.empty}
    />
  );
}

function useColumns(operating: boolean): Column<RefusedAttemptView>[] {
  const messages = useMessages('refusal');
  const answers = useMessages('answer');
  return [
    {
      name: messages.last,
      cell: ({ firstAt, lastAt, times }) => (
        <>
          <Instant at={lastAt} />
          {times > 1n && (
            <small class="under">{messages.timesSince(groupDigits(times), <Instant at={firstAt} />)}</small>
          )}
        </>
      ),
    },
    {
      name: messages.reason,
      heading: true,
      cell: ({ code, fields }) => (
        <div class="sentence">
          {textOfCode(code, answers.codes) ?? code}{' '}
          <strong>{answers.notCharged[operating ? 'operator' : 'user']}</strong>
          <small class="under">{operating ? textOfCode(code, answers.advice) : <Advice code={code} />}</small>
          <small class="under">
            <CodeLink code={code} /> {fields && messages.fields(fields.join(', '))}
          </small>
        </div>
      ),
    },
    {
      name: messages.asked,
      cell: ({ receiver, amount }) => (
        <>
          {amount !== null && messages.amountOf(amount)}
          {receiver !== null && (
            <span class="under">{messages.to(<LongId value={receiver} href={searchHref(receiver)} />)}</span>
          )}
        </>
      ),
    },
    {
      name: messages.token,
      cell: ({ token, requestId }) => (
        <>
          {token}
          {requestId !== null && <small class="under">{messages.request(<LongId value={requestId} />)}</small>}
        </>
      ),
    },
  ];
}
