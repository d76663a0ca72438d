import { Injectable } from '@nestjs/common';
import { readAccountView } from '../../tron/node/account-view';
import { NodeClient } from '../../tron/node/node-client';
import { TransactionKinds } from '../../transactions/kinds/transaction-kinds';
import { WALLET_ROLES, type WalletRole } from '../../transactions/signing/wallet-role';
import { type AccountPermission, operationsMask, reaches, readPermissions } from './account-permission';
import { askAccount } from './ask-account';

/** Whether a permission allows what a wallet's key signs: that alone, more than that, or not all of it. */
export type PermissionFit = 'exact' | 'more' | 'less';

export interface ShownPermission {
  readonly id: number;
  /** Contract types; null: the owner permission, which allows everything. */
  readonly operations: readonly number[] | null;
  /** No key signs by it alone. */
  readonly isShared: boolean;
  readonly fits: Readonly<Record<WalletRole, PermissionFit>>;
}

export interface ShownAccount {
  readonly balanceSun: bigint;
  /** Staked, lent or not. */
  readonly energySun: bigint;
  readonly bandwidthSun: bigint;
  readonly permissions: readonly ShownPermission[];
}

/** What a node knows of an account before it is a pool wallet. */
@Injectable()
export class LookAtAccount {
  constructor(
    private readonly nodes: NodeClient,
    private readonly kinds: TransactionKinds,
  ) {}

  /** Null: it does not exist. @throws NodeUnavailableError */
  async look(address: string): Promise<ShownAccount | null> {
    const account = await askAccount(this.nodes, address);
    if (account === null) return null;
    const { balanceSun, energySun, lentEnergySun, bandwidthSun, lentBandwidthSun } = readAccountView(account);
    return {
      balanceSun,
      energySun: energySun + lentEnergySun,
      bandwidthSun: bandwidthSun + lentBandwidthSun,
      permissions: [...readPermissions(account)].map(([id, permission]) => this.shown(id, permission)),
    };
  }

  /** The field `operations` of a permission that allows what a wallet's key signs, and nothing else. */
  masks(): Readonly<Record<WalletRole, string>> {
    return this.ofRoles((role) => operationsMask(this.kinds.operationsOf(role)));
  }

  private shown(id: number, permission: AccountPermission): ShownPermission {
    const { operations, weights } = permission;
    return {
      id,
      operations: operations && [...operations],
      isShared: ![...weights.keys()].some((key) => reaches(permission, key)),
      fits: this.ofRoles((role) => this.fitOf(operations, role)),
    };
  }

  private fitOf(operations: ReadonlySet<number> | null, role: WalletRole): PermissionFit {
    if (operations === null) return 'more';
    const needed = this.kinds.operationsOf(role);
    if (!needed.every((operation) => operations.has(operation))) return 'less';
    const allowed = new Set([...needed, ...this.kinds.optionalOperationsOf(role)]);
    return [...operations].every((operation) => allowed.has(operation)) ? 'exact' : 'more';
  }

  private ofRoles<Value>(of: (role: WalletRole) => Value): Record<WalletRole, Value> {
    return Object.fromEntries(WALLET_ROLES.map((role) => [role, of(role)])) as Record<WalletRole, Value>;
  }
}
