import type { Operator } from '../../auth/audit-log/audit-log';
import type { SignedInVisit } from '../http/visit';

/** Who answers for what is done during this visit. */
export function operatorOf({ user, address }: SignedInVisit): Operator {
  return { id: user.id, address };
}
