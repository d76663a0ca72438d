import { type FindingSubject, ROW_SUBJECT_TYPES } from '../common/finding-subject';

/** As the columns have it; a wallet's name is read from its row. Null for what a newer version speaks of. */
export interface SubjectColumns {
  readonly subject_type: string | null;
  readonly subject_id: string | null;
  readonly wallet_id: string | null;
  readonly wallet: string | null;
  readonly receiver: string | null;
}

export function columnsOfSubject(
  subject: FindingSubject,
): Omit<SubjectColumns, 'wallet'> & { readonly subject_type: string } {
  return {
    subject_type: subject.type,
    subject_id: 'id' in subject ? subject.id : null,
    wallet_id: 'walletId' in subject ? subject.walletId : null,
    receiver: 'receiver' in subject ? subject.receiver : null,
  };
}

export function readSubject(columns: SubjectColumns): FindingSubject | null {
  const { subject_type: type, subject_id: id, wallet_id: walletId, wallet, receiver } = columns;
  if (type === 'pool' || type === 'chain' || type === 'database' || type === 'service') return { type };
  const rowType = ROW_SUBJECT_TYPES.find((of) => of === type);
  if (rowType !== undefined) return id === null ? null : { type: rowType, id };
  if (walletId === null || wallet === null) return null;
  if (type === 'wallet') return { type, walletId, wallet };
  if (type === 'wallet_blocks') return id === null ? null : { type, id, walletId, wallet };
  if (type === 'wallet_transaction') return id === null ? null : { type, id, walletId, wallet, receiver };
  return type === 'delegated_resource' && receiver !== null ? { type, walletId, wallet, receiver } : null;
}
