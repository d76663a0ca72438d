import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { toHexAddress } from '../addresses';
import { withCallPriority } from '../node/call-priority';
import { NodeClient } from '../node/node-client';
import { NodeUnavailableError } from '../node/node-errors';
import { holdsKey } from '../signing/key-source';
import { SigningKeyError, SigningKeys } from '../signing/signing-keys';
import { PoolWallets } from '../wallets/pool-wallets';
import { keyOwner, type WalletRow } from '../wallets/wallet-row';
import {
  DELEGATE_RESOURCE,
  readPermission,
  TRANSFER,
  UNDELEGATE_RESOURCE,
  type AccountPermission,
} from './account-permission';
import type { Diagnosis } from './diagnosis';

const POOL_EMPTY: Diagnosis = {
  kind: 'pool_empty',
  subject: 'pool',
  reason: 'no wallet has the role delegate',
  next_step: 'Add one: pool:add --role delegate.',
};

/** Whether each wallet's key may sign what the service needs, and nothing else. */
@Injectable()
export class DiagnoseKeys {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly poolWallets: PoolWallets,
    private readonly keys: SigningKeys,
    private readonly nodes: NodeClient,
  ) {}

  async run(): Promise<Diagnosis[]> {
    const wallets = await this.poolWallets.list();
    if (!wallets.some((wallet) => wallet.role === 'delegate')) return [POOL_EMPTY];
    const found: Diagnosis[] = [];
    for (const wallet of wallets) found.push(...(await this.read(wallet)));
    return found;
  }

  /** Findings about one wallet; when it is gone, whether it was the last one that delegates. */
  async runFor(name: string): Promise<Diagnosis[]> {
    const wallets = await this.poolWallets.list();
    const wallet = wallets.find((other) => other.name === name);
    if (wallet) return this.read(wallet);
    return wallets.some(({ role }) => role === 'delegate') ? [] : [POOL_EMPTY];
  }

  /** An account that cannot be read is a finding of its own; the others are still checked. */
  private async read(wallet: WalletRow): Promise<Diagnosis[]> {
    try {
      return await this.wallet(wallet);
    } catch (error) {
      if (!(error instanceof NodeUnavailableError)) throw error;
      const next_step = 'Check the nodes (doctor), and that they know the account.';
      return [{ kind: 'account_unread', subject: wallet.name, reason: error.message, next_step }];
    }
  }

  private async wallet(wallet: WalletRow): Promise<Diagnosis[]> {
    const finding = (kind: string, reason: string, next_step: string): Diagnosis[] => [
      { kind, subject: wallet.name, reason, next_step },
    ];
    let keyAddress: string;
    try {
      keyAddress = this.keys.keyAddress(keyOwner(wallet));
    } catch (error) {
      if (!(error instanceof SigningKeyError)) throw error;
      return finding(
        'wrong_key',
        error.message,
        rightPlace(wallet),
      );
    }
    const body = { address: toHexAddress(wallet.address) };
    const account = await withCallPriority('quotes', () => this.nodes.read('wallet', 'getaccount', body));
    if (account['address'] === undefined)
      return finding(
        'no_account',
        `${wallet.address} does not exist on this chain`,
        'Check the address and the network, or activate the account.',
      );
    const permission = readPermission(account, wallet.permission_id);
    if (!permission)
      return finding(
        'missing_permission',
        `the account has no permission ${wallet.permission_id}`,
        'Create it (AccountPermissionUpdate), or correct --permission-id.',
      );
    if ((permission.weights.get(keyAddress) ?? 0) < permission.threshold) {
      return finding(
        'missing_permission',
        `the key's address ${keyAddress} does not reach the threshold of permission ${wallet.permission_id}`,
        'Add the key to the permission with enough weight.',
      );
    }
    return this.operations(wallet, permission);
  }

  private operations(wallet: WalletRow, permission: AccountPermission): Diagnosis[] {
    const needed = wallet.role === 'delegate' ? [DELEGATE_RESOURCE, UNDELEGATE_RESOURCE] : [TRANSFER];
    if (permission.operations === null) {
      // Keys of the local chain are worth nothing.
      if (this.configuration.localChain.enabled) return [];
      return [powerful(wallet, 'it is the owner key, which can move everything', needed)];
    }
    const missing = needed.filter((operation) => !permission.operations!.has(operation));
    const extra = [...permission.operations].filter((operation) => !needed.includes(operation));
    const found: Diagnosis[] = [];
    if (missing.length > 0) {
      found.push({
        kind: 'missing_permission',
        subject: wallet.name,
        reason: `permission ${wallet.permission_id} does not allow operation ${missing.join(', ')}`,
        next_step: `Allow ${needed.join(' and ')} in the permission's operations.`,
      });
    }
    if (extra.length > 0)
      found.push(
        powerful(wallet, `permission ${wallet.permission_id} also allows operation ${extra.join(', ')}`, needed),
      );
    return found;
  }
}

function powerful(wallet: WalletRow, reason: string, needed: readonly number[]): Diagnosis {
  return {
    kind: 'too_powerful_key',
    subject: wallet.name,
    reason,
    next_step: `Use a key of an active permission that allows operation ${needed.join(' and ')} alone.`,
  };
}

function rightPlace({ key_source: source }: WalletRow): string {
  return holdsKey(source)
    ? 'Its row, its backups and the log may hold the key itself: take that key out of use, and name the place of another (pool:update).'
    : `Put the right key at ${source}, readable for the service.`;
}
