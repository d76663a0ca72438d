import type { AuditFilter, AuditLog, AuditView } from '../../audit-log/audit-log';
import { type CsvColumns, csvFile, csvText } from '../../common/csv';

const COLUMNS: CsvColumns<AuditView> = [
  ['id', ({ id }) => id],
  ['time', ({ at }) => at],
  ['by', ({ actor }) => csvText(actor)],
  ['service', ({ service }) => service],
  ['address', ({ address }) => csvText(address)],
  ['action', ({ action }) => csvText(action)],
  ['subject', ({ subject }) => csvText(subject)],
  ['outcome', ({ outcome }) => outcome],
  ['before', ({ before }) => csvText(before && JSON.stringify(before))],
  ['after', ({ after }) => csvText(after && JSON.stringify(after))],
  ['subject_key', ({ subject_key: key }) => csvText(key)],
];
const BATCH = 1_000;

/** What the log shows for this filter, newest first. Neither `by` nor `service`: the command line. */
export async function* auditCsv(
  log: AuditLog,
  filter: Omit<AuditFilter, 'before' | 'ids' | 'limit'>,
): AsyncGenerator<string> {
  const ids = await log.idsBetween(filter);
  yield* csvFile(COLUMNS, (last) => log.list({ ...filter, before: last?.id, ids, limit: BATCH }));
}
