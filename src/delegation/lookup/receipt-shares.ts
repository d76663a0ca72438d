import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../../audit-log/audit-log';
import { userSubject } from '../../audit-log/subjects';
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
/** A second one, by a double click or another tab, leaves the key of the first. */
const SHARE = statement<[key: string, orderId: string, userId: string]>(
  'share_receipt',
  `insert into receipt_shares (key, delegation_id, created_at)
   select $1, d.id, clock_timestamp() from delegations d where d.id = $2 and d.user_id = $3
   on conflict (delegation_id) do nothing`,
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

/** A customer, who acts on an order of their own. */
export interface Sharing {
  readonly by: Operator;
  readonly user: { readonly id: string; readonly email: string };
  readonly orderId: string;
}

/** Receipts behind a random key, which their customer gives away and withdraws: each leaves an entry in the audit log, without the key. */
@Injectable()
export class ReceiptShares {
  constructor(
    private readonly sql: Sql,
    private readonly orders: OrderLookup,
    private readonly receipts: ReceiptLookup,
    private readonly auditLog: AuditLog,
  ) {}

  /** Null when the order's receipt is not shared. */
  async keyOf(orderId: string, userId: string): Promise<string | null> {
    return (await this.sql.row(FIND, [orderId, userId]))?.key ?? null;
  }

  /** A receipt that is shared already stays as it is. @throws MissingError when the user has no such order, or the order no receipt */
  async share({ by, user, orderId }: Sharing): Promise<void> {
    const receipt = await this.receipts.find(orderId, { userId: user.id });
    if (!receipt) throw new MissingError('order.not-found', { id: orderId });
    const key = randomBytes(KEY_BYTES).toString('base64url');
    await this.sql.transaction(async (tx) => {
      if ((await tx.execute(SHARE, [key, orderId, user.id])) === 0) return;
      const entry = { action: 'receipt.share', subject: userSubject(user.email), after: { order: orderId } };
      await this.auditLog.append(by, { ...entry, outcome: 'done' }, tx);
    });
  }

  /** Nothing changes when the order is not the user's, or not shared. */
  async withdraw({ by, user, orderId }: Sharing): Promise<void> {
    await this.sql.transaction(async (tx) => {
      if ((await tx.execute(WITHDRAW, [orderId, user.id])) === 0) return;
      const entry = { action: 'receipt.withdraw', subject: userSubject(user.email), before: { order: orderId } };
      await this.auditLog.append(by, { ...entry, outcome: 'done' }, tx);
    });
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
