import { TronWeb } from 'tronweb';
import type { OrderWorld } from './order-world';
import { until } from './until';

/** Operations as bits of 32 bytes: 57 and 58; those and a transfer; 57; a transfer; nearly all. */
export const LENDING = `00000000000000060${'0'.repeat(47)}`;
export const TRANSFER_TOO = `02000000000000060${'0'.repeat(47)}`;
export const DELEGATE_ALONE = `00000000000000020${'0'.repeat(47)}`;
export const TRANSFER_ALONE = `02${'0'.repeat(62)}`;
export const BROAD = `7fff1fc0033ec307${'0'.repeat(48)}`;

/** Votes, claims, freezing and withdrawals: what a care key needs; and with unfreezing and its cancellation. */
export const CARING = `1020000000004001${'0'.repeat(48)}`;
export const CARING_AND_UNFREEZING = `102000000000c009${'0'.repeat(48)}`;

/** A chain, and how to ask and control it. */
export type ChainWorld = Pick<OrderWorld, 'chain' | 'node' | 'control'>;

export interface Active {
  readonly operations: string;
  /** Several: each of them is enough. */
  readonly key: string | readonly string[];
  /** Another key, whose signature is needed too. */
  readonly second?: string;
}

/** Gives this address, as the pool account's only active permission (2), these operations. */
export function allowOperations(world: ChainWorld, operations: string, key: string): Promise<void> {
  return setActives(world, [{ operations, key }]);
}

/** The active permissions of an account, from 2 on. The owner's stays with its own key. */
export async function setActives(world: ChainWorld, actives: readonly Active[], role = 'pool'): Promise<void> {
  const account = world.chain.accounts.find((found) => found.role === role)!;
  const tronWeb = new TronWeb({ fullHost: world.chain.url, privateKey: account.private_key });
  const owner = { type: 0, permission_name: 'owner', threshold: 1, keys: [{ address: account.address, weight: 1 }] };
  const wanted = actives.map(({ operations, key, second }) => ({
    type: 2,
    permission_name: 'active',
    threshold: second === undefined ? 1 : 2,
    operations,
    keys: [key, second ?? []].flat().map((address) => ({ address, weight: 1 })),
  }));
  const change = await tronWeb.transactionBuilder.updateAccountPermissions(account.address, owner, undefined, wanted);
  const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(change));
  expect(sent).toMatchObject({ result: true });
  await until('the permissions', async () => {
    const shown = await world.node('wallet/getaccount', { address: TronWeb.address.toHex(account.address) });
    const operations = ((shown['active_permission'] ?? []) as Active[]).map((active) => active.operations);
    return operations.join() === actives.map((active) => active.operations).join();
  });
  // The same permission twice on one head would be the same transaction.
  await world.control('block');
}
