/** Of one row, by its id. */
export type RowSubjectType = 'user' | 'delegation' | 'subscription' | 'ledger_entry' | 'transaction';

/** The stake that a wallet has out at a receiver. */
export interface DelegatedResourceSubject {
  readonly type: 'delegated_resource';
  readonly walletId: string;
  readonly wallet: string;
  readonly receiver: string;
}

/** What a finding speaks of. */
export type FindingSubject =
  | { readonly type: RowSubjectType; readonly id: string }
  | { readonly type: 'wallet'; readonly walletId: string; readonly wallet: string }
  | { readonly type: 'pool' }
  | DelegatedResourceSubject;

/** How the command line and the audit log name it; with the kind, what makes an open finding the same one. */
export function nameOfSubject(subject: FindingSubject): string {
  switch (subject.type) {
    case 'pool':
      return 'pool';
    case 'wallet':
      return subject.wallet;
    case 'delegated_resource':
      return `${subject.wallet} to ${subject.receiver}`;
    case 'ledger_entry':
      return `ledger entry ${subject.id}`;
    default:
      return `${subject.type} ${subject.id}`;
  }
}

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
  switch (type) {
    case 'pool':
      return { type };
    case 'wallet':
      return walletId !== null && wallet !== null ? { type, walletId, wallet } : null;
    case 'delegated_resource':
      return walletId !== null && wallet !== null && receiver !== null ? { type, walletId, wallet, receiver } : null;
    case 'user':
    case 'delegation':
    case 'subscription':
    case 'ledger_entry':
    case 'transaction':
      return id === null ? null : { type, id };
    default:
      return null;
  }
}
