import { TronWeb } from 'tronweb';
import type { OrderWorld } from './order-world';
import { until } from './until';

/** Operations as bits of 32 bytes: 57 and 58; those and a transfer; 57. */
export const LENDING = `00000000000000060${'0'.repeat(47)}`;
export const TRANSFER_TOO = `02000000000000060${'0'.repeat(47)}`;
export const DELEGATE_ALONE = `00000000000000020${'0'.repeat(47)}`;

/** Gives this address, as the pool account's only active permission (2), these operations. */
export async function allowOperations(world: OrderWorld, operations: string, key: string): Promise<void> {
  const pool = world.chain.accounts.find(({ role }) => role === 'pool')!;
  const tronWeb = new TronWeb({ fullHost: world.chain.url, privateKey: pool.private_key });
  const permission = { type: 2, permission_name: 'lending', threshold: 1, operations };
  const owner = { type: 0, permission_name: 'owner', threshold: 1, keys: [{ address: pool.address, weight: 1 }] };
  const active = { ...permission, keys: [{ address: key, weight: 1 }] };
  const change = await tronWeb.transactionBuilder.updateAccountPermissions(pool.address, owner, undefined, [active]);
  const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(change));
  expect(sent).toMatchObject({ result: true });
  await until('the permission', async () => {
    const account = await world.node('wallet/getaccount', { address: TronWeb.address.toHex(pool.address) });
    return JSON.stringify(account['active_permission']).includes(operations);
  });
  // The same permission twice on one head would be the same transaction.
  await world.control('block');
}
