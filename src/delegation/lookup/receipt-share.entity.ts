import { defineEntity, p } from '@mikro-orm/core';
import { Order } from '../order.entity';

/** A receipt that its customer shows to everybody who has the key. */
const ReceiptShareSchema = defineEntity({
  name: 'ReceiptShare',
  tableName: 'receipt_shares',
  properties: {
    /** 128 random bits, in base64url. */
    key: p.text().primary(),
    delegation: () => p.oneToOne(Order).ref().unique('receipt_shares_delegation_id_unique').deleteRule('restrict'),
    createdAt: p.datetime(6),
  },
});

export class ReceiptShare extends ReceiptShareSchema.class {}
ReceiptShareSchema.setClass(ReceiptShare);
