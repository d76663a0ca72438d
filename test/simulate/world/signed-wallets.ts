import type { Client } from 'pg';
import type { StateChange } from '../../../local-chain/src/chain/chain.node';
import { worthlessKey } from '../../../local-chain/src/genesis.accounts';
import { addressOfKey } from '../../../local-chain/src/signing/secp256k1';
import type { Account } from '../../../local-chain/src/state/account.model';
import { keys } from '../../../local-chain/src/state/world.state';
import { toHexAddress } from '../../../src/chain/tron/addresses';
import { LENDING, TRANSFER_ALONE } from '../../support/restricted-key';
import type { HeldKey } from '../network/signer-server';
import type { SimChain } from '../network/sim-chain';
import type { PlannedSigner } from './plan-signer';
import { STAKE_OF_ORDER_SUN } from './setup';

const PERMISSION = 2;

interface WalletRow {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly role: 'delegate' | 'activate';
  readonly key_source: string;
}

interface CareRow {
  readonly wallet_id: string;
  readonly address: string;
  readonly key_source: string;
  readonly permission_id: number;
}

/** Moves the keys of these wallets into a signer, as an operator does: by their rows, and by permissions on the chain. */
export async function moveKeys(database: Client, chain: SimChain, planned: PlannedSigner): Promise<HeldKey[]> {
  const wallets = 'select id, name, address, role, key_source from pool_wallets order by id';
  const { rows } = await database.query<WalletRow>(wallets);
  const held: HeldKey[] = [];
  for (const wallet of rows) {
    const isLending = wallet.role === 'delegate';
    const place = isLending ? planned.wallets[Number(wallet.name.replace('wallet ', ''))] : planned.activation;
    if (!place) continue;
    const isOwn = place === 'own';
    const id = wallet.name.replace(' ', '-');
    const privateKey = isOwn ? keyOf(wallet) : worthlessKey(`simulated key of ${id}`);
    if (!isOwn) permit(chain, wallet.address, isLending ? LENDING : TRANSFER_ALONE, privateKey);
    const permissionId = isOwn ? 0 : PERMISSION;
    await database.query('update pool_wallets set key_source = $2, permission_id = $3 where id = $1', [
      wallet.id,
      `signer:${id}`,
      permissionId,
    ]);
    held.push({
      ...ruleOf(wallet.address, id, permissionId),
      role: wallet.role,
      limits: limitsOf(planned),
      privateKey,
    });
  }
  return planned.cares ? [...held, ...(await moveCares(database))] : held;
}

async function moveCares(database: Client): Promise<HeldKey[]> {
  const { rows } = await database.query<CareRow>(
    `select c.wallet_id, w.address, c.key_source, c.permission_id from stake_care c join pool_wallets w on w.id = c.wallet_id order by w.id`,
  );
  const held: HeldKey[] = [];
  for (const [at, care] of rows.entries()) {
    const id = `care-${at}`;
    await database.query('update stake_care set key_source = $2 where wallet_id = $1', [
      care.wallet_id,
      `signer:${id}`,
    ]);
    const rule = ruleOf(care.address, id, care.permission_id);
    held.push({ ...rule, role: 'stake', mayUnfreeze: true, limits: {}, privateKey: keyOf(care) });
  }
  return held;
}

function ruleOf(address: string, id: string, permissionId: number) {
  return { id, address: Buffer.from(toHexAddress(address), 'hex'), permissionId, mayUnfreeze: false };
}

function limitsOf({ mostOrders, mostTransfers }: PlannedSigner): HeldKey['limits'] {
  return {
    ...(mostOrders !== null && { stakeSunPerHour: BigInt(mostOrders) * STAKE_OF_ORDER_SUN }),
    ...(mostTransfers !== null && { transfersPerHour: BigInt(mostTransfers) }),
  };
}

/** The service's process has it no more. */
function keyOf({ key_source: source }: { readonly key_source: string }): string {
  const variable = source.replace('env:', '');
  const key = process.env[variable]!;
  delete process.env[variable];
  return key;
}

function permit(chain: SimChain, address: string, operations: string, privateKey: string): void {
  const change = (before?: Account): Account => ({
    ...before!,
    actives: [
      {
        type: 2,
        id: PERMISSION,
        name: 'lending',
        threshold: 1n,
        operations,
        keys: [{ address: addressOfKey(privateKey).toString('hex'), weight: 1n }],
      },
      ...before!.actives.filter(({ id }) => id !== PERMISSION),
    ],
  });
  chain.node.amend(new Map([[keys.account(toHexAddress(address)), change as StateChange]]));
}
