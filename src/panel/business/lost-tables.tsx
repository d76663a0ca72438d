import type { LostByCode, LostByUser } from '../../reporting/reports/order-report';
import { type Column, DataTable, groupDigits, useMessages } from '../layout/components';
import { textOfCode } from '../messages/code-text';
import { userPath } from '../users/user-by-id.pipe';

/** What was refused and what failed, by reason. */
export function LostByCodeTable({ rows }: { rows: readonly LostByCode[] }) {
  const messages = useMessages('business');
  return <DataTable name={messages.lostByCode} rows={rows} empty={<p>{messages.noneLost}</p>} columns={useColumns()} />;
}

export function LostByUserTable({ rows }: { rows: readonly LostByUser[] }) {
  const messages = useMessages('business');
  const customer: Column<LostByUser> = {
    name: messages.user,
    heading: true,
    cell: ({ user_id: id, user }) => <a href={`${userPath({ id })}#lost`}>{user}</a>,
  };
  return (
    <DataTable
      name={messages.lostByUser}
      rows={rows}
      empty={<p>{messages.noneLost}</p>}
      columns={[customer, ...useColumns()]}
    />
  );
}

function useColumns(): Column<LostByCode>[] {
  const messages = useMessages('business');
  const answers = useMessages('answer');
  return [
    { name: messages.reason, cell: ({ code }) => <code>{code}</code> },
    { name: messages.meaning, cell: ({ code }) => textOfCode(code, answers.codes) ?? '–' },
    { name: messages.refusedColumn, numeric: true, cell: ({ refused }) => groupDigits(refused) },
    { name: messages.failedColumn, numeric: true, cell: ({ failed }) => groupDigits(failed) },
  ];
}
