import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { MissingError, DomainError } from '../../../common/errors/domain.error';
import type { Queryable, SqlTransaction } from '../../../database/sql';
import { isAddress } from '../../tron/addresses';
import { checkKeySource } from '../../transactions/signing/key-source';
import type { WalletState } from './pool-wallet.entity';
import type { WalletRole } from '../../transactions/signing/wallet-role';
import { PoolWalletRepository } from './pool-wallet.repository';
import { checkWalletName } from './wallet-name';
import type { ListedWalletRow, LockedWallet, WalletRow, WalletSummary } from './wallet-row';

export type { WalletSummary } from './wallet-row';

export interface NewWallet {
  readonly name: string;
  readonly address: string;
  readonly role: WalletRole;
  /** `env:NAME` or `file:/path` */
  readonly keySource: string;
  /** 0: the owner permission. */
  readonly permissionId: number;
  /** `active` unless given: it takes part in the next order. */
  readonly state?: WalletState;
}

/** A field that is left out stays as it is. */
export type KeyChange = Partial<Pick<NewWallet, 'keySource' | 'permissionId'>>;

/** The service's own wallets, and what operators do with them. Changes apply to the next order: each choice of a wallet reads the rows. */
@Injectable()
export class PoolWallets {
  constructor(private readonly rows: PoolWalletRepository) {}

  /** A pool wallet may not be a receiver. */
  async owns(address: string): Promise<boolean> {
    return this.rows.owns(address);
  }

  /** Those of these addresses that are pool wallets, or were, as the caller's transaction sees them. */
  everOwnedAmong(addresses: readonly string[], db: Queryable): Promise<ReadonlySet<string>> {
    return this.rows.everOwnedAmong(addresses, db);
  }

  /** With what is reserved and due as it was counted last; on the caller's transaction, as it sees them. */
  async get(id: string, db?: Queryable): Promise<WalletRow> {
    const wallet = await this.rows.find(id, db);
    if (!wallet) throw new Error(`no pool wallet has the id ${id}`);
    return wallet;
  }

  /** With what is reserved and due counted now. */
  async list(): Promise<ListedWalletRow[]> {
    return this.rows.list();
  }

  /**
   * Does not look at the key: it may be readable by the service alone. `doctor` checks it. An account has one role: each counts what its own
   * transactions take, so activations would spend the TRX that reclaims of the same account need.
   */
  async add(wallet: NewWallet, db?: Queryable): Promise<WalletSummary> {
    if (!isAddress(wallet.address)) throw new DomainError('wallet.address-invalid', { address: wallet.address });
    checkKeySource(wallet.keySource);
    const { address } = wallet;
    const name = checkWalletName(wallet.name);
    try {
      return await this.rows.insert({ id: uuidv7(), state: 'active', ...wallet, name }, db);
    } catch (error) {
      const taken = error instanceof DatabaseError && error.code === '23505';
      if (!taken) throw error;
      throw error.constraint === 'pool_wallets_address'
        ? new DomainError('wallet.address-taken', { address })
        : new DomainError('wallet.name-taken', { name });
    }
  }

  /** The wallet stays as it is until the transaction ends. */
  async lock(name: string, tx: SqlTransaction): Promise<LockedWallet> {
    const row = await this.rows.lockByName(name, tx);
    if (!row) throw new MissingError('wallet.not-found', { name });
    return row;
  }

  async updateKey(wallet: LockedWallet, change: KeyChange, tx: SqlTransaction): Promise<WalletSummary> {
    if (change.keySource !== undefined) checkKeySource(change.keySource);
    const { key_source: source, permission_id: permission } = wallet;
    return this.rows.updateKey(wallet.id, change.keySource ?? source, change.permissionId ?? permission, tx);
  }

  /** @throws DomainError while an order still has stake of the wallet, or a transaction of the wallet is open */
  async requireUnused({ id, name }: LockedWallet, tx: SqlTransaction): Promise<void> {
    const { orders, transactions } = await this.rows.countLive(id, tx);
    if (orders > 0n || transactions > 0n) throw new DomainError('wallet.in-use', { name, orders, transactions });
  }

  /** On a transaction with its lock none is added until that ends. */
  async hasLiveOrders(walletId: string, db?: Queryable): Promise<boolean> {
    return (await this.rows.countLive(walletId, db)).orders > 0n;
  }

  /** One that is required to be unused, under the same lock. */
  remove({ id }: LockedWallet, tx: SqlTransaction): Promise<WalletSummary> {
    return this.rows.remove(id, tx);
  }

  async setState(name: string, state: WalletState, db?: Queryable): Promise<WalletSummary> {
    const changed = await this.rows.setState(name, state, db);
    if (!changed) throw new MissingError('wallet.not-found', { name });
    return changed;
  }
}
