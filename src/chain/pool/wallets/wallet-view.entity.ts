import { defineEntity, p } from '@mikro-orm/core';
import { PoolWallet } from './pool-wallet.entity';

/** An account as a node showed it, each amount as digits. */
export type StoredView = Readonly<Record<string, string>>;

/**
 * What the chain shows of a wallet, kept over restarts: as it was read last, and as it was when everything up to then was explained, by our own
 * transactions or by findings. Each reading is of a block from `…Block` to `…Until`.
 */
const WalletViewSchema = defineEntity({
  name: 'WalletView',
  tableName: 'wallet_views',
  properties: {
    wallet: () => p.oneToOne(PoolWallet).primary().ref().owner().deleteRule('cascade'),
    newest: p.json<StoredView>(),
    newestBlock: p.bigint('bigint'),
    newestUntil: p.bigint('bigint'),
    newestAt: p.datetime(6),
    explained: p.json<StoredView>(),
    explainedBlock: p.bigint('bigint'),
    explainedUntil: p.bigint('bigint'),
    explainedAt: p.datetime(6),
    /** Block of the first reading; null where that is not known any more. */
    firstBlock: p.bigint('bigint').nullable(),
    /** The highest block in which a transaction of it was seen that is not ours, until that block was looked through. */
    usedBlock: p.bigint('bigint').nullable(),
  },
});

export class WalletView extends WalletViewSchema.class {}
WalletViewSchema.setClass(WalletView);
