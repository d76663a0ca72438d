import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { MissingError, RefusalError } from '../../common/refusal.error';
import { type Queryable, Sql, type SqlTransaction, type Statement } from '../../database/sql';
import { isAddress } from '../addresses';
import { SigningKeyError, SigningKeys } from '../signing-keys';
import { LIST_WALLETS } from './pool.statements';
import type { WalletRole, WalletState } from './pool-wallet.entity';
import type { WalletRow } from './wallet-row';

export interface NewWallet {
  readonly name: string;
  readonly address: string;
  readonly role: WalletRole;
  /** `env:NAME` or `file:/path` */
  readonly keySource: string;
  /** 0: the owner permission. */
  readonly permissionId: number;
}

export type WalletSummary = Pick<WalletRow, 'name' | 'address' | 'role' | 'state'>;

const INSERT: Statement = {
  name: 'pool_insert',
  text: `insert into pool_wallets (id, name, address, role, key_source, permission_id) values ($1, $2, $3, $4, $5, $6)
         returning name, address, role, state`,
};

const SET_STATE: Statement = {
  name: 'pool_set_state',
  text: `update pool_wallets set state = $2, resumes_itself = false where name = $1
         returning name, address, role, state`,
};

const LOCK: Statement = {
  name: 'pool_lock_by_name',
  text: 'select state from pool_wallets where name = $1 for no key update',
};

/** What operators do with pool wallets. It takes effect with the next order: every choice of a wallet reads the rows. */
@Injectable()
export class PoolAdmin {
  constructor(
    private readonly sql: Sql,
    private readonly keys: SigningKeys,
  ) {}

  /**
   * A variable may be set for the service alone, so a key that cannot be read here is only a warning, handed to `warn`;
   * a key that can be read and is another wallet's is refused.
   */
  async add(wallet: NewWallet, warn: (message: string) => void, session: Queryable = this.sql): Promise<WalletSummary> {
    if (!isAddress(wallet.address)) throw new RefusalError(`${wallet.address} is no TRON address`);
    this.checkKey(wallet, warn);
    const { name, address, role, keySource, permissionId } = wallet;
    try {
      const added = await session.row(INSERT, [uuidv7(), name, address, role, keySource, permissionId]);
      return added as unknown as WalletSummary;
    } catch (error) {
      const taken = error instanceof DatabaseError && error.code === '23505';
      if (!taken) throw error;
      throw new RefusalError(
        error.constraint === 'pool_wallets_address_role'
          ? `${address} is in the pool already, in the role ${role}`
          : `a pool wallet is called ${name} already`,
      );
    }
  }

  /** What is true of the wallet until the transaction ends. */
  async lock(name: string, tx: SqlTransaction): Promise<{ readonly state: WalletState }> {
    const row = await tx.row<{ state: WalletState }>(LOCK, [name]);
    if (!row) throw new MissingError(`there is no pool wallet called ${name}`);
    return row;
  }

  async setState(name: string, state: WalletState, session: Queryable = this.sql): Promise<WalletSummary> {
    const changed = await session.row(SET_STATE, [name, state]);
    if (!changed) throw new MissingError(`there is no pool wallet called ${name}`);
    return changed as unknown as WalletSummary;
  }

  async list(): Promise<WalletRow[]> {
    return this.sql.rows<WalletRow & Record<string, unknown>>(LIST_WALLETS);
  }

  private checkKey(wallet: NewWallet, warn: (message: string) => void): void {
    try {
      this.keys.keyOf(wallet);
    } catch (error) {
      if (!(error instanceof SigningKeyError)) throw error;
      if (!error.unreadable) throw new RefusalError(error.message);
      warn(`${error.message}; the service must be able to read it`);
    }
  }
}
