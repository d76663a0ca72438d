import { Injectable } from '@nestjs/common';
import { BatchLoader } from '../../../database/batch-loader';
import { type Queryable, Sql, type SqlTransaction } from '../../../database/sql';
import type { WalletState } from './pool-wallet.entity';
import type { WalletRole } from '../../transactions/signing/wallet-role';
import {
  ACTIVATION_WALLETS,
  ACTIVATION_WALLET_NOW,
  COUNT_LIVE,
  INSERT,
  LIST_WALLETS,
  LOANS,
  LOANS_BY_QUARTER,
  LOCK_BY_NAME,
  LOCK_WALLET,
  OPEN_WALLETS,
  OUTDATED,
  PAIR_IS_CLOSED,
  POOL_ADDRESSES,
  POOL_ADDRESSES_EVER,
  READABLE_WALLETS,
  REMOVE,
  SET_STATE,
  UNREAD,
  UPDATE_KEY,
  WALLET,
  WALLET_COUNTS,
} from './pool-wallet.statements';
import type { ListedWalletRow, LockedWallet, OpenWalletRow, WalletRow, WalletSummary } from './wallet-row';

interface InsertedWallet {
  readonly state: WalletState;
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly role: WalletRole;
  readonly keySource: string;
  readonly permissionId: number;
}

interface WalletCounts {
  readonly delegating: bigint;
  readonly active: bigint;
  readonly all_paused: boolean;
}

/** The table `pool_wallets`, but for the stake reserved (reservation.repository.ts) and refusals (wallet-rest.repository.ts). */
@Injectable()
export class PoolWalletRepository {
  private readonly addresses: BatchLoader<{ key: string }>;

  constructor(private readonly sql: Sql) {
    this.addresses = new BatchLoader<{ key: string }>(sql, POOL_ADDRESSES);
  }

  async owns(address: string): Promise<boolean> {
    return (await this.addresses.find(address)) !== null;
  }

  /** Those of these addresses that are pool wallets, or were. */
  async everOwnedAmong(addresses: readonly string[], db: Queryable): Promise<ReadonlySet<string>> {
    return new Set((await db.rows(POOL_ADDRESSES_EVER, [addresses])).map(({ key }) => key));
  }

  find(id: string, db: Queryable = this.sql): Promise<WalletRow | null> {
    return db.row(WALLET, [id]);
  }

  /** With what is reserved and due counted now. */
  list(): Promise<ListedWalletRow[]> {
    return this.sql.rows(LIST_WALLETS);
  }

  /** All but the removed ones, with what is reserved and due as it was counted last. */
  findReadable(): Promise<WalletRow[]> {
    return this.sql.rows(READABLE_WALLETS);
  }

  /** Ids of wallets that were never read from the chain. */
  async findUnread(): Promise<string[]> {
    return (await this.sql.rows(UNREAD)).map(({ id }) => id);
  }

  /** Ids of wallets of which a new reading may show more stake. */
  async findOutdated(): Promise<string[]> {
    return (await this.sql.rows(OUTDATED)).map(({ id }) => id);
  }

  /** Wallets that take delegations now. */
  findOpen(): Promise<OpenWalletRow[]> {
    return this.sql.rows(OPEN_WALLETS);
  }

  async isPairClosed(walletId: string, receiver: string): Promise<boolean> {
    return (await this.sql.row(PAIR_IS_CLOSED, [walletId, receiver])) !== null;
  }

  async count(): Promise<WalletCounts> {
    return (await this.sql.row(WALLET_COUNTS))!;
  }

  /** The richest first. */
  async findActivating(): Promise<string[]> {
    return (await this.sql.rows(ACTIVATION_WALLETS)).map(({ id }) => id);
  }

  /** False when the wallet is not active any more, or this is a copy of the database. */
  async lock(tx: SqlTransaction, id: string): Promise<boolean> {
    return (await tx.row(LOCK_WALLET, [id])) !== null;
  }

  /** What an activation needs of a wallet: sure where the caller has locked it. */
  readForActivation(id: string, db: Queryable = this.sql): Promise<WalletRow | null> {
    return db.row(ACTIVATION_WALLET_NOW, [id]);
  }

  /** Stakes that are with receivers, and when each is due. */
  loans(): Promise<{ wallet_id: string; stake_sun: bigint; due_in_ms: number }[]> {
    return this.sql.rows(LOANS);
  }

  /** As `loans`, but for many of them together. */
  loansByQuarter(): Promise<{ wallet_id: string; stake_sun: bigint; due_in_ms: number }[]> {
    return this.sql.rows(LOANS_BY_QUARTER);
  }

  async insert(wallet: InsertedWallet, db: Queryable = this.sql): Promise<WalletSummary> {
    const { id, name, address, role, keySource, permissionId, state } = wallet;
    return (await db.row(INSERT, [id, name, address, role, keySource, permissionId, state]))!;
  }

  /** Null when no wallet has this name. */
  setState(name: string, state: WalletState, db: Queryable = this.sql): Promise<WalletSummary | null> {
    return db.row(SET_STATE, [name, state]);
  }

  lockByName(name: string, tx: SqlTransaction): Promise<LockedWallet | null> {
    return tx.row(LOCK_BY_NAME, [name]);
  }

  async updateKey(id: string, keySource: string, permissionId: number, tx: SqlTransaction): Promise<WalletSummary> {
    return (await tx.row(UPDATE_KEY, [id, keySource, permissionId]))!;
  }

  /** Orders that are open or lent, and open transactions. */
  async countLive(id: string, db: Queryable = this.sql): Promise<{ orders: bigint; transactions: bigint }> {
    return (await db.row(COUNT_LIVE, [id]))!;
  }

  async remove(id: string, tx: SqlTransaction): Promise<WalletSummary> {
    return (await tx.row(REMOVE, [id]))!;
  }
}
