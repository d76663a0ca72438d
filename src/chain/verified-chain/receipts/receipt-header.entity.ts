import { defineEntity, p } from '@mikro-orm/core';
import { ReceiptWitnesses } from './receipt-witnesses.entity';

/** Headers of final blocks with orders in them, and of those above until enough witnesses have built on them. */
const ReceiptHeaderSchema = defineEntity({
  name: 'ReceiptHeader',
  tableName: 'receipt_headers',
  properties: {
    number: p.bigint('bigint').primary().autoincrement(false),
    /** protocol.BlockHeader.raw */
    header: p.blob(),
    signature: p.blob(),
    /** For a block with orders: how many headers above it belong to its receipts. */
    above: p.smallint().nullable(),
    /** And whose signatures made it final. */
    witnesses: () => p.manyToOne(ReceiptWitnesses).ref().nullable().deleteRule('restrict'),
  },
  checks: [{ name: 'receipt_headers_whole', expression: '(above is null) = (witnesses_id is null)' }],
});

export class ReceiptHeader extends ReceiptHeaderSchema.class {}
ReceiptHeaderSchema.setClass(ReceiptHeader);
