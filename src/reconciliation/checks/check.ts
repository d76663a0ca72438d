import { type Statement, statement } from '../../database/statement';
import type { FindingParameters, ReasonCode } from '../../common/finding-reasons';
import type { RowSubjectType } from '../../common/finding-subject';

/** The tables that are looked through, a batch of keys at a time. */
export type CheckedTable =
  | 'users'
  | 'accounts'
  | 'ledger_entries'
  | 'subscriptions'
  | 'deposits'
  | 'token_days'
  | 'holds'
  | 'delegations'
  | 'chain_transactions';

export type Key = string | bigint;

/** A row that breaks a rule: its id, and a column for each parameter of the reason. */
export type BrokenRow<Code extends ReasonCode = ReasonCode> = FindingParameters[Code] & {
  readonly subject_id: string;
  /** Replaces the rule's subject. */
  readonly subject_type?: RowSubjectType | null;
  /** The part that an operator can acknowledge. */
  readonly acknowledgeable_sun?: bigint;
};

interface Rule {
  readonly code: ReasonCode;
  /** What `subject_id` is the id of. */
  readonly subject: RowSubjectType;
}

/**
 * One rule about the rows. Its statement returns each row that breaks it; being one statement it sees one snapshot, so that orders
 * in flight are never half seen.
 */
export interface RowCheck<Code extends ReasonCode = ReasonCode> extends Rule {
  /** Whose keys the statement takes. */
  readonly of: CheckedTable;
  readonly statement: Statement<[keys: readonly Key[]], BrokenRow<Code>>;
}

/** It takes no keys, for it looks only at what is open, by an index. */
export interface OpenCheck<Code extends ReasonCode = ReasonCode> extends Rule {
  readonly of: 'open';
  readonly statement: Statement<[], BrokenRow<Code>>;
}

export type Check = RowCheck | OpenCheck;

/** The compiler does not see into `text`: a test compares its columns with the parameters. */
export function rowCheck<Code extends ReasonCode>(
  code: Code,
  of: CheckedTable,
  subject: RowSubjectType,
  text: string,
): RowCheck<Code> {
  return { code, of, subject, statement: statement(`audit_${code}`, text) };
}

export function openCheck<Code extends ReasonCode>(code: Code, subject: RowSubjectType, text: string): OpenCheck<Code> {
  return { code, of: 'open', subject, statement: statement(`audit_${code}`, text) };
}
