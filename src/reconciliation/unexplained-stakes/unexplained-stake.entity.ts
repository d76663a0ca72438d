import { defineEntity, p } from '@mikro-orm/core';
import { PoolWallet } from '../../chain/pool/wallets/pool-wallet.entity';

/**
 * What no order explains between a wallet and a receiver, as the reconciler has found it: the wallet was paused for as much, or an
 * operator has resumed it with as much in sight. Kept until the chain shows that it is gone, whatever our own orders between the
 * two do to the findings meanwhile.
 */
const UnexplainedStakeSchema = defineEntity({
  name: 'UnexplainedStake',
  tableName: 'unexplained_stakes',
  properties: {
    wallet: () => p.manyToOne(PoolWallet).primary().ref().deleteRule('cascade'),
    receiver: p.text().primary(),
    /** Lent by somebody else. */
    foreignSun: p.bigint('bigint'),
    /** Lent by our orders and not there. */
    missingSun: p.bigint('bigint'),
  },
});

export class UnexplainedStake extends UnexplainedStakeSchema.class {}
UnexplainedStakeSchema.setClass(UnexplainedStake);
