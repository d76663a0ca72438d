import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { MissingError, DomainError } from '../../common/errors/domain.error';
import { type Queryable, Sql, type SqlTransaction, type Statement } from '../../database/sql';
import { isAddress } from '../addresses';
import type { WalletRole, WalletState } from './pool-wallet.entity';
import { LIST_WALLETS } from './pool.statements';
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

export type WalletSummary = Pick<WalletRow, 'name' | 'address' | 'role'> & { readonly state: WalletState | 'removed' };

/** What of a wallet's key may be changed; what is not given stays. */
export type KeyChange = Partial<Pick<NewWallet, 'keySource' | 'permissionId'>>;

type LockedWallet = Pick<WalletRow, 'id' | 'name' | 'address' | 'role' | 'state' | 'key_source' | 'permission_id'>;

const INSERT: Statement = {
  name: 'pool_insert',
  text: `insert into pool_wallets (id, name, address, role, key_source, permission_id) values ($1, $2, $3, $4, $5, $6)
         returning name, address, role, state`,
};

/** Who resumes a wallet has seen to what it was refused for. */
const IS_OVER = `$2 = 'active' or last_refusal ->> 'purpose' <> 'reclaim'`;
/**
 * A wallet that is active again is tried again. One that is not signs no more delegations or activations, so that nothing could end
 * a refusal of theirs; reclaims go on.
 */
const SET_STATE: Statement = {
  name: 'pool_set_state',
  text: `update pool_wallets
            set state = $2, resumes_itself = false,
                refusals = case when ${IS_OVER} then 0 else refusals end,
                resting_until = case when ${IS_OVER} then null else resting_until end
          where name = $1 and removed_at is null
         returning name, address, role, state`,
};

const LOCK: Statement = {
  name: 'pool_lock_by_name',
  text: `select id, name, address, role, state, key_source, permission_id
           from pool_wallets where name = $1 and removed_at is null for no key update`,
};

/** What it was refused for may be gone with the old key. */
const UPDATE_KEY: Statement = {
  name: 'pool_update_key',
  text: `update pool_wallets set key_source = $2, permission_id = $3, refusals = 0, resting_until = null where id = $1
         returning name, address, role, state`,
};

/** Looked at under the wallet's lock: each order takes that lock before it commits, so none is missed. */
const OUT: Statement = {
  name: 'pool_out',
  text: `select (select count(*) from delegations d
                  where d.wallet_id = $1 and d.state not in ('reclaimed', 'failed', 'taken_back')) as orders,
                (select count(*) from chain_transactions t
                  where t.wallet_id = $1 and t.state in ('saved', 'sent', 'included')) as transactions`,
};

const REMOVE: Statement = {
  name: 'pool_remove',
  text: `update pool_wallets set state = 'draining', resumes_itself = false, removed_at = clock_timestamp() where id = $1
         returning name, address, role, 'removed' as state`,
};

/** What operators do with pool wallets. It takes effect with the next order: every choice of a wallet reads the rows. */
@Injectable()
export class PoolWallets {
  constructor(private readonly sql: Sql) {}

  /** Its key is not looked at: it may be readable for the service alone, and doctor says what is wrong with it. */
  async add(wallet: NewWallet, session: Queryable = this.sql): Promise<WalletSummary> {
    if (!isAddress(wallet.address)) throw new DomainError('wallet.address-invalid', { address: wallet.address });
    const { name, address, role, keySource, permissionId } = wallet;
    try {
      const added = await session.row(INSERT, [uuidv7(), name, address, role, keySource, permissionId]);
      return added as WalletSummary;
    } catch (error) {
      const taken = error instanceof DatabaseError && error.code === '23505';
      if (!taken) throw error;
      throw error.constraint === 'pool_wallets_address_role'
        ? new DomainError('wallet.address-taken', { address, role })
        : new DomainError('wallet.name-taken', { name });
    }
  }

  /** What is true of the wallet until the transaction ends. */
  async lock(name: string, tx: SqlTransaction): Promise<LockedWallet> {
    const row = await tx.row<LockedWallet & Record<string, unknown>>(LOCK, [name]);
    if (!row) throw new MissingError('wallet.not-found', { name });
    return row;
  }

  async updateKey(wallet: LockedWallet, change: KeyChange, tx: SqlTransaction): Promise<WalletSummary> {
    const { key_source: source, permission_id: permission } = wallet;
    const key = { keySource: change.keySource ?? source, permissionId: change.permissionId ?? permission };
    return (await tx.row(UPDATE_KEY, [wallet.id, key.keySource, key.permissionId])) as WalletSummary;
  }

  /** @throws DomainError while stake of an order is out, or a transaction of the wallet may still land */
  async remove(wallet: LockedWallet, tx: SqlTransaction): Promise<WalletSummary> {
    const { orders, transactions } = (await tx.row<{ orders: bigint; transactions: bigint }>(OUT, [wallet.id]))!;
    if (orders > 0n || transactions > 0n) {
      throw new DomainError('wallet.in-use', { name: wallet.name, orders, transactions });
    }
    return (await tx.row(REMOVE, [wallet.id])) as WalletSummary;
  }

  async setState(name: string, state: WalletState, session: Queryable = this.sql): Promise<WalletSummary> {
    const changed = await session.row(SET_STATE, [name, state]);
    if (!changed) throw new MissingError('wallet.not-found', { name });
    return changed as WalletSummary;
  }

  async list(): Promise<WalletRow[]> {
    return this.sql.rows<WalletRow & Record<string, unknown>>(LIST_WALLETS);
  }
}
