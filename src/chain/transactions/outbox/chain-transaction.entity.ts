import { defineEntity, p } from '@mikro-orm/core';

/** Rows of this kind of subject belong to an order, whose history has what became of them. */
export const ORDER = 'order';

/**
 * `saved`: signed and committed, perhaps sent; `sent`: a node accepted it, or a fork dropped its block; `included`: in a block above the final one;
 * `final`: in a final block; `dead`: expired, and proved to be in no final block (final-blocks.ts).
 */
export const TRANSACTION_STATES = ['saved', 'sent', 'included', 'final', 'dead'] as const;
export type TransactionState = (typeof TRANSACTION_STATES)[number];

const OPEN_STATES: readonly TransactionState[] = ['saved', 'sent', 'included'];
/** SQL: the outcome is not decided yet. */
export const IS_OPEN = `state in ('${OPEN_STATES.join("', '")}')`;

/** The outbox: no bytes reach a node before their row is committed. */
const ChainTransactionSchema = defineEntity({
  name: 'ChainTransaction',
  tableName: 'chain_transactions',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    txId: p.text(),
    /** The name of its kind (kinds/transaction-kind.ts). */
    purpose: p.text(),
    subjectKind: p.text(),
    subjectId: p.uuid(),
    /**
     * Names a row of `pool_wallets`, by a foreign key that the schema alone has: the pool is above this room. Null where no wallet of
     * the pool signs it.
     */
    walletId: p.uuid().nullable(),
    /** What its contract's fields say, where its kind has them: an order's always do. */
    receiver: p.text().nullable(),
    amountSun: p.bigint('bigint').nullable(),
    /** The bytes whose hash is the txid, and their signature while they are not final. */
    rawData: p.blob(),
    signature: p.blob().nullable(),
    /** For a final delegation: what follows the signed bytes in its block (the signature among it), and its Merkle branch. */
    tail: p.blob().nullable(),
    branch: p.blob().nullable(),
    /** Block time in milliseconds. From then on no block can include it. */
    expirationMs: p.bigint('bigint'),
    refBlockNumber: p.bigint('bigint'),
    state: p.enum(TRANSACTION_STATES).default('saved'),
    /** May be sent again by the follower; null: once the order that it belongs to is answered with success. */
    resend: p.boolean().nullable(),
    lastSentAt: p.datetime(6).nullable(),
    blockNumber: p.bigint('bigint').nullable(),
    blockId: p.text().nullable(),
    blockTimeMs: p.bigint('bigint').nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [
    { name: 'chain_transactions_subject', properties: ['subjectId'] },
    { name: 'chain_transactions_open', properties: ['expirationMs'], where: IS_OPEN },
    {
      name: 'chain_transactions_wallet_blocks',
      properties: ['walletId', 'blockNumber'],
      where: "purpose <> 'delegation' and purpose <> 'reclaim' and state = 'final'",
    },
    {
      name: 'chain_transactions_final_pairs',
      properties: ['walletId', 'receiver', 'blockNumber'],
      where: "purpose in ('delegation', 'reclaim') and state = 'final'",
    },
    { name: 'chain_transactions_tx_id', properties: ['txId'], type: 'hash' },
    {
      name: 'chain_transactions_tx_id_beginning',
      expression:
        'create index chain_transactions_tx_id_beginning on chain_transactions (left(tx_id, 8) text_pattern_ops)',
    },
  ],
  checks: [
    {
      name: 'chain_transactions_order_fields',
      expression: `subject_kind <> '${ORDER}' or (receiver is not null and amount_sun is not null and wallet_id is not null)`,
    },
    { name: 'chain_transactions_resend_by_order', expression: `resend is not null or subject_kind = '${ORDER}'` },
  ],
  uniques: [
    { name: 'chain_transactions_open_tx_id', properties: ['txId'], where: IS_OPEN },
    {
      name: 'chain_transactions_one_delegation_per_order',
      properties: ['subjectId'],
      where: "purpose = 'delegation'",
    },
    {
      name: 'chain_transactions_one_live_reclaim_per_order',
      properties: ['subjectId'],
      where: "purpose = 'reclaim' and state <> 'dead'",
    },
    {
      name: 'chain_transactions_one_live_activation_per_receiver',
      properties: ['receiver'],
      where: `purpose = 'activation' and ${IS_OPEN}`,
    },
    /** A kind that belongs to no order may have an index of its own besides. */
    {
      name: 'chain_transactions_one_open_per_subject',
      properties: ['purpose', 'subjectId'],
      where: `subject_kind <> '${ORDER}' and ${IS_OPEN}`,
    },
  ],
});

export class ChainTransaction extends ChainTransactionSchema.class {}
ChainTransactionSchema.setClass(ChainTransaction);
