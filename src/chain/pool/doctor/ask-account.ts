import { toHexAddress } from '../../tron/addresses';
import { requireAddress } from '../../tron/node/answer.reader';
import { withCallPriority } from '../../tron/node/call-priority';
import type { NodeClient } from '../../tron/node/node-client';

/** The account as a node shows it now; null: it does not exist. @throws NodeUnavailableError */
export async function askAccount(nodes: NodeClient, address: string): Promise<Record<string, unknown> | null> {
  const body = { address: toHexAddress(address) };
  const account = await withCallPriority('quotes', () =>
    nodes.ask('wallet', 'getaccount', body, (found) => {
      if (Object.keys(found).length > 0) requireAddress(found, 'address', body.address);
      return found;
    }),
  );
  return account['address'] === undefined ? null : account;
}
