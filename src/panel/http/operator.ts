import type { Operator } from '../../audit-log/audit-log';
import type { UserVisit } from './visit';

/** Who answers for what this request does. */
export function operatorOf({ user, address }: UserVisit): Operator {
  return { id: user.id, address };
}
