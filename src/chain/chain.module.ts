import { Module } from '@nestjs/common';
import { Clock } from '../common/clock';
import { DiagnoseKeys } from './doctor/diagnose-keys';
import { DiagnoseNodes } from './doctor/diagnose-nodes';
import { BlockFollower } from './follower/block-follower';
import { HeadChain } from './follower/head-chain';
import { HeadVerifier } from './follower/head-verifier';
import { InclusionWaiters } from './follower/inclusion-waiters';
import { LateOutcomes } from './follower/late-outcomes';
import { SolidChain } from './follower/solid-chain';
import { TransactionOutcomes } from './follower/transaction-outcomes';
import { ChainReads } from './node/chain-reads';
import { GenesisCheck } from './node/genesis-check';
import { NodeClient } from './node/node-client';
import { NodeConnections } from './node/node-connections';
import { Outbox } from './outbox/outbox';
import { ReferenceBlocks } from './reference-blocks';
import { SigningKeys } from './signing/signing-keys';
import { Transactions } from './signing/transactions';
import { Capacity } from './wallets/capacity';
import { ChooseWallet } from './wallets/choose-wallet';
import { OrderSwitches } from './wallets/order-switches';
import { Pool } from './wallets/pool';
import { PoolForecast } from './wallets/pool-forecast';
import { PoolWallets } from './wallets/pool-wallets';
import { Reservations } from './wallets/reservations';
import { UnreadWallets } from './wallets/unread-wallets';
import { WalletRests } from './wallets/wallet-rests';

/** The only room that knows the chain: nodes, pool wallets, signing, the outbox and what blocks prove. */
@Module({
  providers: [
    Clock,
    GenesisCheck,
    NodeConnections,
    NodeClient,
    ChainReads,
    HeadVerifier,
    ReferenceBlocks,
    SigningKeys,
    Transactions,
    Outbox,
    Pool,
    PoolWallets,
    PoolForecast,
    OrderSwitches,
    Capacity,
    Reservations,
    WalletRests,
    UnreadWallets,
    ChooseWallet,
    TransactionOutcomes,
    InclusionWaiters,
    HeadChain,
    LateOutcomes,
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
    PoolWallets,
    PoolForecast,
    OrderSwitches,
    Capacity,
    Reservations,
    WalletRests,
    ChooseWallet,
    TransactionOutcomes,
    InclusionWaiters,
    BlockFollower,
    DiagnoseNodes,
    DiagnoseKeys,
  ],
})
export class ChainModule {}
