import { defineEntity, p } from '@mikro-orm/core';

export const TRANSACTION_PURPOSES = ['activation', 'delegation', 'reclaim'] as const;
export type TransactionPurpose = (typeof TRANSACTION_PURPOSES)[number];

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
    purpose: p.enum(TRANSACTION_PURPOSES),
    delegationId: p.uuid(),
    /** Names a row of `pool_wallets`, by a foreign key that the schema alone has: the pool is above this room. */
    walletId: p.uuid(),
    receiver: p.text(),
    /** The stake of a delegation or reclaim, the transfer of an activation. */
    amountSun: p.bigint('bigint'),
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
    /** May be sent again whatever the caller is answered. A delegation is sent again only if its order is answered with success. */
    resend: p.boolean().default(false),
    lastSentAt: p.datetime(6).nullable(),
    blockNumber: p.bigint('bigint').nullable(),
    blockId: p.text().nullable(),
    blockTimeMs: p.bigint('bigint').nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [
    { name: 'chain_transactions_delegation', properties: ['delegationId'] },
    { name: 'chain_transactions_open', properties: ['expirationMs'], where: IS_OPEN },
    {
      name: 'chain_transactions_activation_blocks',
      properties: ['walletId', 'blockNumber'],
      where: "purpose = 'activation' and state = 'final'",
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
  uniques: [
    { name: 'chain_transactions_open_tx_id', properties: ['txId'], where: IS_OPEN },
    {
      name: 'chain_transactions_one_delegation_per_order',
      properties: ['delegationId'],
      where: "purpose = 'delegation'",
    },
    {
      name: 'chain_transactions_one_live_reclaim_per_order',
      properties: ['delegationId'],
      where: "purpose = 'reclaim' and state <> 'dead'",
    },
    {
      name: 'chain_transactions_one_live_activation_per_receiver',
      properties: ['receiver'],
      where: `purpose = 'activation' and ${IS_OPEN}`,
    },
  ],
});

export class ChainTransaction extends ChainTransactionSchema.class {}
ChainTransactionSchema.setClass(ChainTransaction);
