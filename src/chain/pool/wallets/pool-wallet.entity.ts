import { defineEntity, p } from '@mikro-orm/core';
import type { Unfreezing } from '../../tron/node/unfreezing';
import { WALLET_ROLES } from '../../transactions/signing/wallet-role';

/** `paused`: takes no new orders; `draining`: the same, until everything is back and it can be removed. Reclaims always go on. */
export const WALLET_STATES = ['active', 'paused', 'draining'] as const;
export type WalletState = (typeof WALLET_STATES)[number];

/** The refused transaction, and the node's code and message. */
export interface WalletRefusal {
  readonly purpose: string;
  readonly txid: string;
  readonly reason: string;
}

/** Its `sun` as digits. */
export type StoredUnfreezing = Omit<Unfreezing, 'sun'> & { readonly sun: string };

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
    /** Paused by reconciliation, perhaps because of a wrong reading: resumed once the stake is seen. */
    resumesItself: p.boolean().default(false),
    /** Not by an operator: resumed once all that a person has to acknowledge is acknowledged. */
    pausedByReconciler: p.boolean().default(false),
    /** Where the signing key is read from, never the key: `env:NAME` or `file:/path`. */
    keySource: p.text(),
    /** The account permission that the key belongs to; 0: the owner permission, which is left out of the transaction. */
    permissionId: p.integer().default(0),

    // The last reading from the chain, at one solid block, for every instance (wallet-reader.ts).
    /** `max_size` of walletsolidity/getcandelegatedmaxsize at `observedBlock`. */
    delegableSun: p.bigint('bigint').defaultRaw('0'),
    stakeSun: p.bigint('bigint').defaultRaw('0'),
    balanceSun: p.bigint('bigint').defaultRaw('0'),
    /** Bytes of bandwidth left, staked and free together. */
    bandwidth: p.bigint('bigint').defaultRaw('0'),
    /** The free points among them: no transaction is paid from both kinds. */
    freeBandwidth: p.bigint('bigint').defaultRaw('0'),
    /** Stake whose energy is used and has not recovered yet; more than is staked where stake was unfrozen since. */
    usedEnergySun: p.bigint('bigint').defaultRaw('0'),
    unfreezing: p.json<StoredUnfreezing[]>().defaultRaw(`'[]'`),
    observedBlock: p.bigint('bigint').defaultRaw('-1'),
    observedAt: p.datetime(6).nullable(),
    /** Promised stake that the reading does not show yet: counted with each reading, and each order adds its own. */
    reservedSun: p.bigint('bigint').defaultRaw('0'),
    /** Transactions that the wallet still has to pay for, kept in the same way. */
    transactionsDue: p.bigint('bigint').defaultRaw('0'),

    // Rests after refusals that are the wallet's own fault (wallet-rests.ts).
    /** Since a block last included one of its transactions of the refused kind. */
    refusals: p.integer().default(0),
    /** By the database's clock: new orders take other wallets until then. */
    restingUntil: p.datetime(6).nullable(),
    refusedAt: p.datetime(6).nullable(),
    lastRefusal: p.json<WalletRefusal>().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    /** By an operator, after all of its stake came back. The row stays for its past orders; name and address are free again. */
    removedAt: p.datetime(6).nullable(),
  },
  checks: [
    // The choice of a wallet looks at its state alone.
    { name: 'pool_wallets_removed_takes_none', expression: `removed_at is null or state = 'draining'` },
    {
      name: 'pool_wallets_reservations_not_negative',
      expression: 'reserved_sun >= 0 and transactions_due >= 0',
    },
  ],
  uniques: [
    { name: 'pool_wallets_name_unique', properties: ['name'], where: 'removed_at is null' },
    { name: 'pool_wallets_address', properties: ['address'], where: 'removed_at is null' },
  ],
});

export class PoolWallet extends PoolWalletSchema.class {}
PoolWalletSchema.setClass(PoolWallet);
