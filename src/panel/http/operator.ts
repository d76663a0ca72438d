import type { Operator } from '../../audit-log/audit-log';
import type { SignedInVisit } from './page-context';

/** Who answers for what is done during this visit. */
export function operatorOf({ user, address }: SignedInVisit): Operator {
  return { id: user.id, address };
}
