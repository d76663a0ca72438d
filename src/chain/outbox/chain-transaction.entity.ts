import { defineEntity, p } from '@mikro-orm/core';
import { PoolWallet } from '../wallets/pool-wallet.entity';

export const TRANSACTION_PURPOSES = ['activation', 'delegation', 'reclaim'] as const;
export type TransactionPurpose = (typeof TRANSACTION_PURPOSES)[number];

/**
 * `saved`: signed and committed, perhaps sent; `sent`: a node has answered for it; `included`: seen in a block of the head chain;
 * `final`: seen in the solid chain; `dead`: proved never to land (block-follower.ts).
 */
export const TRANSACTION_STATES = ['saved', 'sent', 'included', 'final', 'dead'] as const;
export type TransactionState = (typeof TRANSACTION_STATES)[number];

/** The outbox: no bytes reach a node before their row is committed. */
const ChainTransactionSchema = defineEntity({
  name: 'ChainTransaction',
  tableName: 'chain_transactions',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    txId: p.text().unique(),
    purpose: p.enum(TRANSACTION_PURPOSES),
    delegationId: p.uuid(),
    wallet: () => p.manyToOne(PoolWallet).ref().deleteRule('restrict'),
    receiver: p.text(),
    /** The stake of a delegation or reclaim, the transfer of an activation. */
    amountSun: p.bigint('bigint'),
    /** What is signed, as JSON for `wallet/broadcasttransaction` and as the bytes whose hash is the txid. */
    rawData: p.json<Record<string, unknown>>(),
    rawDataHex: p.text(),
    signature: p.text(),
    /** Block time in milliseconds from which on no block can take it. */
    expirationMs: p.bigint('bigint'),
    refBlockNumber: p.bigint('bigint'),
    refBlockId: p.text(),
    state: p.enum(TRANSACTION_STATES).default('saved'),
    /** The service stands by it whatever the caller is told. A delegation is sent again by its order's answer alone. */
    resend: p.boolean().default(false),
    lastSentAt: p.datetime(6).nullable(),
    blockNumber: p.bigint('bigint').nullable(),
    blockId: p.text().nullable(),
    blockTimeMs: p.bigint('bigint').nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [
    { name: 'chain_transactions_delegation', properties: ['delegationId'] },
    { name: 'chain_transactions_open', properties: ['expirationMs'], where: "state in ('saved', 'sent', 'included')" },
  ],
  uniques: [
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
      where: "purpose = 'activation' and state in ('saved', 'sent', 'included')",
    },
  ],
});

export class ChainTransaction extends ChainTransactionSchema.class {}
ChainTransactionSchema.setClass(ChainTransaction);
