import { hostname, userInfo } from 'node:os';
import type { Operator } from '../audit-log/audit-log';

/** Whoever may start a command answers for it: known by the account and the machine. */
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
