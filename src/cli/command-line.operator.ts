import { hostname, userInfo } from 'node:os';
import type { Operator } from '../audit-log/audit-log';

/** The account that starts a command, on its machine, answers for it. */
export function commandLineOperator(): Operator {
  return { id: null, address: `${accountName()}@${hostname()}` };
}

/** In a container, an account may have no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
