/** Each is one row, by its id. */
export const ROW_SUBJECT_TYPES = [
  'user',
  'delegation',
  'subscription',
  'deposit',
  'deposit_address',
  'token_day',
  'ledger_entry',
  'transaction',
] as const;
export type RowSubjectType = (typeof ROW_SUBJECT_TYPES)[number];

/** The stake that a wallet has out at a receiver. */
export interface DelegatedResourceSubject {
  readonly type: 'delegated_resource';
  readonly walletId: string;
  readonly wallet: string;
  readonly receiver: string;
}

/** A transaction of a wallet that is not ours, with who got something by it. */
export interface WalletTransactionSubject {
  readonly type: 'wallet_transaction';
  readonly id: string;
  readonly walletId: string;
  readonly wallet: string;
  readonly receiver: string | null;
}

/** A wallet in a range of blocks (`100-200`): what is found in the next ones is another finding. */
export interface WalletBlocksSubject {
  readonly type: 'wallet_blocks';
  readonly id: string;
  readonly walletId: string;
  readonly wallet: string;
}

/** What a finding speaks of. */
export type FindingSubject =
  | { readonly type: RowSubjectType; readonly id: string }
  | { readonly type: 'wallet'; readonly walletId: string; readonly wallet: string }
  | WalletTransactionSubject
  | WalletBlocksSubject
  | { readonly type: 'pool' }
  | { readonly type: 'chain' }
  | { readonly type: 'database' }
  | { readonly type: 'service' }
  | DelegatedResourceSubject;

/** How the command line and the audit log name it; with the kind, what makes an open finding the same one. */
export function nameOfSubject(subject: FindingSubject): string {
  if (subject.type === 'wallet_transaction') return `${subject.wallet} ${subject.id}`;
  if (subject.type === 'wallet_blocks') return `${subject.wallet} blocks ${subject.id}`;
  if ('id' in subject) return `${subject.type.replace('_', ' ')} ${subject.id}`;
  if (subject.type === 'wallet') return subject.wallet;
  return subject.type === 'delegated_resource' ? `${subject.wallet} to ${subject.receiver}` : subject.type;
}
