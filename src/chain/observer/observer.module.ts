import { Module } from '@nestjs/common';
import { TronModule } from '../tron/tron.module';
import { VerifiedChainModule } from '../verified-chain/verified-chain.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { BlockActs } from './block-acts';
import { BlockFollower } from './block-follower';
import { BLOCK_INTERVAL_MS, BlockPace } from './block-pace';
import { BlockSubscribers } from './block-subscribers';
import { ChainWork } from './chain-work';
import { FinalFeed } from './final-feed';
import { FinalTransactions } from './final-transactions';
import { FinalBlocks } from './final-blocks';
import { InclusionWaiters } from './inclusion-waiters';
import { InclusionWatch } from './inclusion-watch';
import { Inclusions } from './inclusions';
import { LateOutcomes } from './late-outcomes';
import { LookedThrough } from './looked-through';
import { RecordedBlocks } from './recorded-blocks';
import { TransactionOutcomes } from './transaction-outcomes';
import { UndonePlaces } from './undone-places';
import { AcceptedBlockRepository } from './unproved/accepted-block.repository';
import { AcceptedResults } from './unproved/accepted-results';
import { BlockListings } from './unproved/block-listings';
import { BuiltOn } from './unproved/built-on';
import { OfferedBlocks } from './unproved/offered-blocks';
import { UnprovedBlocks } from './unproved/unproved-blocks';

const TRON_INTERVAL_MS = 3_000;

/** Follows the verified chain block by block: which transactions of ours are included, final or dead, and who else is shown the blocks. */
@Module({
  imports: [TronModule, VerifiedChainModule, TransactionsModule],
  providers: [
    AcceptedBlockRepository,
    AcceptedResults,
    BlockListings,
    BuiltOn,
    OfferedBlocks,
    RecordedBlocks,
    BlockActs,
    LookedThrough,
    TransactionOutcomes,
    InclusionWaiters,
    Inclusions,
    LateOutcomes,
    UnprovedBlocks,
    FinalBlocks,
    ChainWork,
    { provide: BLOCK_INTERVAL_MS, useValue: TRON_INTERVAL_MS },
    BlockPace,
    BlockSubscribers,
    FinalFeed,
    UndonePlaces,
    FinalTransactions,
    BlockFollower,
    InclusionWatch,
  ],
  exports: [
    FinalTransactions,
    AcceptedBlockRepository,
    AcceptedResults,
    OfferedBlocks,
    RecordedBlocks,
    BlockActs,
    LookedThrough,
    InclusionWatch,
    BlockSubscribers,
    FinalFeed,
    UndonePlaces,
    BlockFollower,
  ],
})
export class ObserverModule {}
