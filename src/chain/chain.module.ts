import { Module } from '@nestjs/common';
import { TronModule } from './tron/tron.module';
import { VerifiedChainModule } from './verified-chain/verified-chain.module';
import { TransactionsModule } from './transactions/transactions.module';
import { ObserverModule } from './observer/observer.module';
import { PoolModule } from './pool/pool.module';

/**
 * The only room that knows the chain; what is in `proof/` is pure and needs no module. It imports nothing of delegation, but its SQL reads
 * the table `delegations` (stake promised from a wallet, closed pairs, resends, payers) and writes `delegation_events` (what nodes
 * answered): on the way of an order, a statement in each room would cost a round trip more.
 */
@Module({
  imports: [TronModule, VerifiedChainModule, TransactionsModule, ObserverModule, PoolModule],
  exports: [TronModule, VerifiedChainModule, TransactionsModule, ObserverModule, PoolModule],
})
export class ChainModule {}
