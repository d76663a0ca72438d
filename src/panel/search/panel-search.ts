import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { PoolWallets } from '../../chain/wallets/pool-wallets';
import type { WalletRow } from '../../chain/wallets/wallet-row';
import { isIdempotencyKey, keyOfLine } from '../../delegation/idempotency-key';
import { OrderLookup, type OrderView } from '../../delegation/lookup/order-lookup';
import { type ListedUser, UserListRepository } from '../../users/user-list.repository';
import type { PanelUser } from '../http/page-context';

export interface Found {
  readonly orders: readonly OrderView[];
  readonly users: readonly ListedUser[];
  readonly wallets: readonly WalletRow[];
}

/** Of each kind; the lists with their filters show the rest. */
export const MOST_FOUND = 20;

const TXID = /^(?:0x)?([0-9a-f]{64})$/i;
const ADDRESS = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const NOBODY: readonly ListedUser[] = [];

/** What one text may mean: a txid, an address, an order's id or key, an e-mail address, a part of a name. */
@Injectable()
export class PanelSearch {
  constructor(
    private readonly lookup: OrderLookup,
    private readonly users: UserListRepository,
    private readonly pool: PoolWallets,
  ) {}

  /** Of what is not an operator's, only the user's own. */
  async find(text: string, { id, operator }: PanelUser): Promise<Found> {
    const [orders, users, wallets] = await Promise.all([
      this.orders(text, id, operator),
      operator ? this.users.search(text, MOST_FOUND) : NOBODY,
      operator ? this.wallets(text) : [],
    ]);
    return { orders, users, wallets };
  }

  private async orders(text: string, userId: string, operator: boolean): Promise<readonly OrderView[]> {
    const scope = { userId: operator ? null : userId };
    if (isUuid(text)) {
      const order = await this.lookup.find(text.toLowerCase(), scope);
      if (order) return [order];
    }
    const limit = MOST_FOUND;
    const txId = TXID.exec(text)?.[1]?.toLowerCase();
    if (txId !== undefined) return this.lookup.list({ ...scope, txId, limit });
    if (ADDRESS.test(text)) return this.lookup.list({ ...scope, receiver: text, limit });
    // A key is its user's own word; another user may have used the same.
    const key = keyOfLine(text);
    return isIdempotencyKey(key) ? this.lookup.list({ userId, idempotencyKey: key, limit }) : [];
  }

  private async wallets(text: string): Promise<readonly WalletRow[]> {
    const part = text.toLowerCase();
    const all = await this.pool.list();
    return all.filter(({ name, address }) => address === text || name.toLowerCase().includes(part));
  }
}
