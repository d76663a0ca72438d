import { defineEntity, p } from '@mikro-orm/core';
import { PoolWallet } from '../../chain/pool/wallets/pool-wallet.entity';

/**
 * A wallet and a receiver between whom the chain has shown all that our orders have lent, in several solid blocks, since rows may be
 * missing. Counts for the comparison that began at this block (`database_identity.compared_block`), and for no later one;
 * not yet while the reclaim that it was read for is pending.
 */
const ComparedPairSchema = defineEntity({
  name: 'ComparedPair',
  tableName: 'compared_pairs',
  properties: {
    wallet: () => p.manyToOne(PoolWallet).primary().ref().deleteRule('cascade'),
    receiver: p.text().primary(),
    comparedBlock: p.bigint('bigint'),
    pendingTxId: p.text().nullable(),
  },
});

export class ComparedPair extends ComparedPairSchema.class {}
ComparedPairSchema.setClass(ComparedPair);
