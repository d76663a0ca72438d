import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { LedgerService, type ReferencedMovement } from '../../balance/ledger.service';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import { isIdempotencyKey, keyOfLine } from '../../common/http/idempotency-key';
import { NamedOrdersRepository } from '../../reporting/overviews/named-orders.repository';
import { OrderLookup, type OrderView } from '../../delegation/lookup/order-lookup';
import { type AttemptOfUser, RefusedAttemptRepository } from '../../reporting/refusals/refused-attempt.repository';
import { type ListedUser, UserListRepository } from '../../users/user-list.repository';
import type { PanelUser } from '../http/visit';
import { ADDRESS, readAsTyped, readSearchText, type SearchText, TXID } from './search-text';

export interface Found {
  readonly orders: readonly OrderView[];
  readonly users: readonly ListedUser[];
  readonly wallets: readonly WalletRow[];
  /** Credits and debits with the text as their reference. */
  readonly movements: readonly ReferencedMovement[];
  /** Whose request with this id was refused before it became an order. */
  readonly attempts: readonly AttemptOfUser[];
}

/** Of each kind; the lists with their filters show the rest. */
export const MOST_FOUND = 20;

const NOBODY: readonly ListedUser[] = [];

/** What one text may mean: a txid, an address, an order, its key, a request, a reference, or a user; whole, shortened or from an explorer's URL. */
@Injectable()
export class PanelSearch {
  constructor(
    private readonly lookup: OrderLookup,
    private readonly named: NamedOrdersRepository,
    private readonly users: UserListRepository,
    private readonly pool: PoolWallets,
    private readonly ledger: LedgerService,
    private readonly refusals: RefusedAttemptRepository,
  ) {}

  /** Of what is not an operator's, only the user's own. */
  async find(typed: string, user: PanelUser): Promise<Found> {
    const meant = readSearchText(typed);
    const found = await this.findMeant(meant, user);
    const isFound = Object.values(found).some((list) => list.length > 0);
    return isFound || meant.text === typed ? found : this.findMeant(readAsTyped(typed), user);
  }

  private async findMeant(search: SearchText, { id, operator }: PanelUser): Promise<Found> {
    const userId = operator ? null : id;
    const [orders, users, wallets, movements, attempts] = await Promise.all([
      this.orders(search, id, userId),
      operator ? this.findUsers(search.text) : NOBODY,
      operator ? this.wallets(search) : [],
      this.ledger.withReference(search.text, userId, MOST_FOUND),
      this.refusals.ofRequest(search.text, userId),
    ]);
    return { orders, users, wallets, movements, attempts };
  }

  private async orders({ text, begin, end }: SearchText, ownId: string, userId: string | null): Promise<OrderView[]> {
    const scope = { userId };
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
    const keyed = isIdempotencyKey(key) ? await this.lookup.list({ userId: ownId, idempotencyKey: key, limit }) : [];
    if (keyed.length > 0) return keyed;
    const placed = await this.named.ofRequest(text, userId, limit);
    if (placed.length === 0 && begin === null) return [];
    const ids = placed.length > 0 ? placed : await this.named.find(begin!, end, userId, limit);
    const found = await Promise.all(ids.map((id) => this.lookup.find(id, scope)));
    return found.filter((order) => order !== null);
  }

  /** One whose address or id it is, is meant alone. */
  private async findUsers(text: string): Promise<readonly ListedUser[]> {
    const found = await this.users.search(text, MOST_FOUND);
    const exact = found.filter(({ id, email }) => email === text.toLowerCase() || id === text.toLowerCase());
    return exact.length > 0 ? exact : found;
  }

  private async wallets({ text, begin, end }: SearchText): Promise<readonly WalletRow[]> {
    const part = text.toLowerCase();
    const all = await this.pool.list();
    const exact = all.filter(({ name, address }) => address === text || name === text);
    if (exact.length > 0) return exact;
    const isShort = (address: string) => begin !== null && address.startsWith(begin) && address.endsWith(end);
    return all.filter(({ name, address }) => isShort(address) || name.toLowerCase().includes(part));
  }
}
