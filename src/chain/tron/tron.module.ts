import { Module } from '@nestjs/common';
import { HeadStates } from './head/head-states';
import { AccountCreation } from './node/account-creation';
import { BurnedFees } from './node/burned-fees';
import { BlockReads } from './node/block-reads';
import { ChainIdentityRepository } from './node/chain-identity.repository';
import { ChainReads } from './node/chain-reads';
import { ConfiguredNodes } from './node/configured-nodes';
import { GenesisCheck } from './node/genesis-check';
import { HedgedCalls } from './node/hedged-calls';
import { NetworkTotalsReads } from './node/network-totals';
import { NodeClient } from './node/node-client';
import { NodeConnections } from './node/node-connections';
import { NodeStanding } from './node/node-standing';
import { NodeTimes } from './node/node-times';
import { HoldingReads } from './node/holding-reads';
import { StakeReads } from './node/stake-reads';
import { TransactionHeights } from './node/transaction-heights';

/** What nodes are asked, how often and in which order, and what their answers say. Proves nothing. */
@Module({
  providers: [
    ChainIdentityRepository,
    GenesisCheck,
    NodeConnections,
    NodeTimes,
    HedgedCalls,
    ConfiguredNodes,
    NodeClient,
    NodeStanding,
    AccountCreation,
    ChainReads,
    BlockReads,
    BurnedFees,
    NetworkTotalsReads,
    StakeReads,
    HoldingReads,
    HeadStates,
    TransactionHeights,
  ],
  exports: [
    ChainIdentityRepository,
    NodeConnections,
    ConfiguredNodes,
    NodeClient,
    NodeStanding,
    AccountCreation,
    ChainReads,
    BlockReads,
    BurnedFees,
    NetworkTotalsReads,
    StakeReads,
    HoldingReads,
    HeadStates,
    TransactionHeights,
  ],
})
export class TronModule {}
