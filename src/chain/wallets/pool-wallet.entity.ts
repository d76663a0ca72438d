import { defineEntity, p } from '@mikro-orm/core';
import type { TransactionPurpose } from '../outbox/chain-transaction.entity';

export const WALLET_ROLES = ['delegate', 'activate'] as const;
export type WalletRole = (typeof WALLET_ROLES)[number];

/** `paused`: takes no new orders; `draining`: the same, to be removed once everything is back. Reclaims always go on. */
export const WALLET_STATES = ['active', 'paused', 'draining'] as const;
export type WalletState = (typeof WALLET_STATES)[number];

/** What of it was refused, and what for: the node's code and message. */
export interface WalletRefusal {
  readonly purpose: TransactionPurpose;
  readonly txid: string;
  readonly reason: string;
}

const PoolWalletSchema = defineEntity({
  name: 'PoolWallet',
  tableName: 'pool_wallets',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    /** base58check. */
    address: p.text(),
    role: p.enum(WALLET_ROLES),
    state: p.enum(WALLET_STATES).default('active'),
    /** Paused by the reconciler for what may be a wrong reading: it takes orders again when the stake is there. */
    resumesItself: p.boolean().default(false),
    /** Where the signing key is read from, never the key: `env:NAME` or `file:/path`. */
    keySource: p.text(),
    /** The account permission that the key belongs to; 0: the owner permission, which is left out of the transaction. */
    permissionId: p.integer().default(0),

    // What the chain last said of the wallet (see capacity.ts). Read at one solid block, kept for every instance.
    /** `max_size` of walletsolidity/getcandelegatedmaxsize at `observedBlock`. */
    delegableSun: p.bigint('bigint').defaultRaw('0'),
    stakeSun: p.bigint('bigint').defaultRaw('0'),
    balanceSun: p.bigint('bigint').defaultRaw('0'),
    /** Bytes of bandwidth left, staked and free together. */
    bandwidth: p.bigint('bigint').defaultRaw('0'),
    /** Of these, the free ones: no transaction is paid from both. */
    freeBandwidth: p.bigint('bigint').defaultRaw('0'),
    observedBlock: p.bigint('bigint').defaultRaw('-1'),
    observedAt: p.datetime(6).nullable(),
    /** Stake that the reading at `observedBlock` does not know to be promised: counted with each reading, added to by each order. */
    reservedSun: p.bigint('bigint').defaultRaw('0'),
    /** Transactions that the wallet has still to pay for, kept in the same way. */
    transactionsDue: p.bigint('bigint').defaultRaw('0'),

    // The network refused its transactions for its own fault: it rests (see wallet-rests.ts).
    /** One after the other, since something of it was last in a block. */
    refusals: p.integer().default(0),
    /** By the database's clock: new orders take other wallets until then. */
    restingUntil: p.datetime(6).nullable(),
    refusedAt: p.datetime(6).nullable(),
    lastRefusal: p.json<WalletRefusal>().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    /** By an operator, once nothing of it was out. The row stays for its past orders; name and address are free again. */
    removedAt: p.datetime(6).nullable(),
  },
  checks: [
    // Whoever chooses a wallet looks at its state alone.
    { name: 'pool_wallets_removed_takes_none', expression: `removed_at is null or state = 'draining'` },
    {
      name: 'pool_wallets_reservations_not_negative',
      expression: 'reserved_sun >= 0 and transactions_due >= 0',
    },
  ],
  uniques: [
    { name: 'pool_wallets_name_unique', properties: ['name'], where: 'removed_at is null' },
    { name: 'pool_wallets_address_role', properties: ['address', 'role'], where: 'removed_at is null' },
  ],
});

export class PoolWallet extends PoolWalletSchema.class {}
PoolWalletSchema.setClass(PoolWallet);
