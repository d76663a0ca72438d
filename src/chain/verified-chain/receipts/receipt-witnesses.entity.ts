import { defineEntity, p } from '@mikro-orm/core';
import type { Witness } from '../../proof/judge';

/** Sets of active witnesses by which blocks with orders became final. */
const ReceiptWitnessesSchema = defineEntity({
  name: 'ReceiptWitnesses',
  tableName: 'receipt_witnesses',
  properties: {
    id: p.integer().primary().autoincrement(),
    witnesses: p.json<Witness[]>(),
    /** SHA-256 of the set as text: each is kept once. */
    digest: p.blob().unique('receipt_witnesses_digest'),
  },
});

export class ReceiptWitnesses extends ReceiptWitnessesSchema.class {}
ReceiptWitnessesSchema.setClass(ReceiptWitnesses);
