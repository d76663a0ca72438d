import type { LostByCode, LostByUser } from '../../reporting/reports/order-report';
import type { SignedInPageContext } from '../http/page-context';
import { type Column, DataTable } from '../layout/data-table';
import { groupDigits } from '../layout/values';
import { ANSWER_MESSAGES, sentenceOf } from '../messages/answer.messages';
import { BUSINESS_MESSAGES } from '../messages/business.messages';
import { userPath } from '../users/user-by-id.pipe';

interface Props<Row> {
  readonly pageContext: SignedInPageContext;
  readonly rows: readonly Row[];
}

/** What was refused and what failed, by reason. */
export function LostByCodeTable({ pageContext, rows }: Props<LostByCode>) {
  const messages = BUSINESS_MESSAGES[pageContext.locale];
  return (
    <DataTable
      pageContext={pageContext}
      name={messages.lostByCode}
      rows={rows}
      empty={<p>{messages.noneLost}</p>}
      columns={columns(pageContext)}
    />
  );
}

export function LostByUserTable({ pageContext, rows }: Props<LostByUser>) {
  const messages = BUSINESS_MESSAGES[pageContext.locale];
  const customer: Column<LostByUser> = {
    name: messages.user,
    heading: true,
    cell: ({ user_id: id, user }) => <a href={`${userPath({ id })}#lost`}>{user}</a>,
  };
  return (
    <DataTable
      pageContext={pageContext}
      name={messages.lostByUser}
      rows={rows}
      empty={<p>{messages.noneLost}</p>}
      columns={[customer, ...columns(pageContext)]}
    />
  );
}

function columns({ locale }: SignedInPageContext): Column<LostByCode>[] {
  const messages = BUSINESS_MESSAGES[locale];
  return [
    { name: messages.reason, cell: ({ code }) => <code>{code}</code> },
    { name: messages.meaning, cell: ({ code }) => sentenceOf(code, ANSWER_MESSAGES[locale]) ?? '–' },
    { name: messages.refusedColumn, numeric: true, cell: ({ refused }) => groupDigits(refused) },
    { name: messages.failedColumn, numeric: true, cell: ({ failed }) => groupDigits(failed) },
  ];
}
