import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MissingError } from '../../common/errors/domain.error';
import type { ReceiptDocument } from '../../chain/verified-chain/receipts/receipt-document';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { OrderLookup, type OrderView } from './order-lookup';
import { ReceiptLookup } from './receipt-lookup';

const KEY_BYTES = 16;
const KEY = /^[\w-]{22}$/;

interface Keyed {
  readonly key: string;
}

const FIND = statement<[orderId: string, userId: string], Keyed>(
  'receipt_share',
  `select s.key from receipt_shares s join delegations d on d.id = s.delegation_id where d.id = $1 and d.user_id = $2`,
);
/** A second one, by a double click or another tab, gets the key of the first. */
const SHARE = statement<[key: string, orderId: string, userId: string], Keyed>(
  'share_receipt',
  `insert into receipt_shares (key, delegation_id, created_at)
   select $1, d.id, clock_timestamp() from delegations d where d.id = $2 and d.user_id = $3
   on conflict (delegation_id) do update set key = receipt_shares.key returning key`,
);
const WITHDRAW = statement<[orderId: string, userId: string]>(
  'withdraw_receipt',
  `delete from receipt_shares s using delegations d where s.delegation_id = d.id and d.id = $1 and d.user_id = $2`,
);
const OPEN = statement<[key: string], { readonly delegation_id: string }>(
  'open_receipt',
  `select delegation_id from receipt_shares where key = $1`,
);

export interface SharedReceipt {
  readonly order: OrderView;
  readonly receipt: ReceiptDocument;
}

/** Receipts behind a random key, which their customer gives away and withdraws. */
@Injectable()
export class ReceiptShares {
  constructor(
    private readonly sql: Sql,
    private readonly orders: OrderLookup,
    private readonly receipts: ReceiptLookup,
  ) {}

  /** Null when the order's receipt is not shared. */
  async keyOf(orderId: string, userId: string): Promise<string | null> {
    return (await this.sql.row(FIND, [orderId, userId]))?.key ?? null;
  }

  /** @throws MissingError when the user has no such order, or the order no receipt */
  async share(orderId: string, userId: string): Promise<string> {
    const receipt = await this.receipts.find(orderId, { userId });
    const key = randomBytes(KEY_BYTES).toString('base64url');
    const shared = receipt && (await this.sql.row(SHARE, [key, orderId, userId]));
    if (!shared) throw new MissingError('order.not-found', { id: orderId });
    return shared.key;
  }

  async withdraw(orderId: string, userId: string): Promise<void> {
    await this.sql.execute(WITHDRAW, [orderId, userId]);
  }

  /** Null for a key that never was, and for one that was withdrawn. */
  async open(key: string): Promise<SharedReceipt | null> {
    const found = KEY.test(key) ? await this.sql.row(OPEN, [key]) : null;
    if (!found) return null;
    const [order, receipt] = await Promise.all([
      this.orders.find(found.delegation_id, {}),
      this.receipts.find(found.delegation_id, {}),
    ]);
    return order && receipt && { order, receipt };
  }
}
