import { Module } from '@nestjs/common';
import { Clock } from '../common/clock';
import { DiagnoseKeys } from './doctor/diagnose-keys';
import { DiagnoseNodes } from './doctor/diagnose-nodes';
import { BlockFollower } from './follower/block-follower';
import { HeadChain } from './follower/head-chain';
import { InclusionWaits } from './follower/inclusion-waiters';
import { LateFates } from './follower/late-outcomes';
import { SolidChain } from './follower/solid-chain';
import { TransactionFates } from './follower/transaction-outcomes';
import { HeadLink } from './follower/head-verifier';
import { ChainReads } from './node/chain-reads';
import { GenesisCheck } from './node/genesis-check';
import { NodeClient } from './node/node-client';
import { NodeConnections } from './node/node-connections';
import { Outbox } from './outbox/outbox';
import { Capacity } from './wallets/capacity';
import { ChooseWallet } from './wallets/choose-wallet';
import { OrderSwitches } from './wallets/order-switches';
import { Pool } from './wallets/pool';
import { PoolForecast } from './wallets/pool-forecast';
import { PoolAdmin } from './wallets/pool-wallets';
import { Reservations } from './wallets/reservations';
import { UnreadWallets } from './wallets/unread-wallets';
import { WalletRests } from './wallets/wallet-rests';
import { ReferenceBlocks } from './reference-blocks';
import { SigningKeys } from './signing/signing-keys';
import { Transactions } from './signing/transactions';

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
