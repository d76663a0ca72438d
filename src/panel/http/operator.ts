import type { Operator } from '../../audit-log/audit-log';
import type { SignedInPageContext } from './page-context';

/** Who answers for what this request does. */
export function operatorOf({ user, address }: SignedInPageContext): Operator {
  return { id: user.id, address };
}
