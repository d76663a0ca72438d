import { Module } from '@nestjs/common';
import { Clock } from '../common/clock';
import { DiagnoseKeys } from './doctor/diagnose-keys';
import { DiagnoseNodes } from './doctor/diagnose-nodes';
import { BlockFollower } from './follower/block-follower';
import { HeadChain } from './follower/head-chain';
import { InclusionWaits } from './follower/inclusion-waits';
import { LateFates } from './follower/late-fates';
import { SolidChain } from './follower/solid-chain';
import { TransactionFates } from './follower/transaction-fates';
import { HeadLink } from './head-link';
import { ChainReads } from './node/chain-reads';
import { GenesisCheck } from './node/genesis-check';
import { NodeClient } from './node/node-client';
import { NodeConnections } from './node/node-connections';
import { Outbox } from './outbox/outbox';
import { Capacity } from './pool/capacity';
import { ChooseWallet } from './pool/choose-wallet';
import { OrderSwitches } from './pool/order-switches';
import { Pool } from './pool/pool';
import { PoolForecast } from './pool/pool-forecast';
import { PoolAdmin } from './pool/pool-admin';
import { Reservations } from './pool/reservations';
import { UnreadWallets } from './pool/unread-wallets';
import { WalletRests } from './pool/wallet-rests';
import { ReferenceBlocks } from './reference-blocks';
import { SigningKeys } from './signing-keys';
import { Transactions } from './transactions';

/** The only room that knows the chain: nodes, pool wallets, signing, the outbox and what blocks prove. */
@Module({
  providers: [
    Clock,
    GenesisCheck,
    NodeConnections,
    NodeClient,
    ChainReads,
    HeadLink,
    ReferenceBlocks,
    SigningKeys,
    Transactions,
    Outbox,
    Pool,
    PoolAdmin,
    PoolForecast,
    OrderSwitches,
    Capacity,
    Reservations,
    WalletRests,
    UnreadWallets,
    ChooseWallet,
    TransactionFates,
    InclusionWaits,
    HeadChain,
    LateFates,
    SolidChain,
    BlockFollower,
    DiagnoseNodes,
    DiagnoseKeys,
  ],
  exports: [
    NodeClient,
    ChainReads,
    ReferenceBlocks,
    SigningKeys,
    Transactions,
    Outbox,
    Pool,
    PoolAdmin,
    PoolForecast,
    OrderSwitches,
    Capacity,
    Reservations,
    WalletRests,
    ChooseWallet,
    TransactionFates,
    InclusionWaits,
    BlockFollower,
    DiagnoseNodes,
    DiagnoseKeys,
  ],
})
export class ChainModule {}
