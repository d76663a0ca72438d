import { hostname, userInfo } from 'node:os';
import { callersAccount } from '../../config/environment';
import type { Operator } from '../audit-log/audit-log';

/** The account that starts a command, on its machine, answers for it; with energy-cli all commands run as the service's. */
export function commandLineOperator(): Operator {
  const [caller, account] = [callersAccount(), accountName()];
  const name = caller === undefined || caller === account ? account : `${caller} as ${account}`;
  return { id: null, address: `${name}@${hostname()}` };
}

/** In a container, an account may have no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
