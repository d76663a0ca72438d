import { Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { Clock } from '../common/clock';
import { DiagnoseKeys } from './doctor/diagnose-keys';
import { DiagnoseNodes } from './doctor/diagnose-nodes';
import { KeyPower } from './doctor/key-power';
import { KeyPowerSchedule } from './doctor/key-power.schedule';
import { ChainFaultRepository } from './faults/chain-fault.repository';
import { BlockBodies } from './follower/block-bodies';
import { BlockClock } from './follower/block-clock';
import { BlockFollower } from './follower/block-follower';
import { BLOCK_INTERVAL_MS, BlockPace } from './follower/block-pace';
import { Branches } from './follower/branches';
import { ChainProof, NodeProof } from './follower/chain-proof';
import { ChainStart } from './follower/chain-start';
import { BlockSubscribers } from './follower/block-subscribers';
import { ChainWork } from './follower/chain-work';
import { FinalBlocks } from './follower/final-blocks';
import { FinalityWatch } from './follower/finality-watch';
import { InclusionWaiters } from './follower/inclusion-waiters';
import { Inclusions } from './follower/inclusions';
import { LateOutcomes } from './follower/late-outcomes';
import { LookedThrough } from './follower/looked-through';
import { MissedHeaders } from './follower/missed-headers';
import { RecordedBlocks } from './follower/recorded-blocks';
import { SlotLength } from './follower/slot-length';
import { BlockActs } from './follower/block-acts';
import { SolidViews } from './wallets/solid-views';
import { StakeMoves } from './wallets/stake-moves';
import { TransactionOutcomes } from './follower/transaction-outcomes';
import { VerifiedChain } from './follower/verified-chain';
import { HeadStates } from './head/head-states';
import { BlockReads } from './node/block-reads';
import { ChainIdentityRepository } from './node/chain-identity.repository';
import { AccountCreation } from './node/account-creation';
import { ChainReads } from './node/chain-reads';
import { ConfiguredNodes } from './node/configured-nodes';
import { GenesisCheck } from './node/genesis-check';
import { HedgedCalls } from './node/hedged-calls';
import { NodeClient } from './node/node-client';
import { NodeConnections } from './node/node-connections';
import { NodeStanding } from './node/node-standing';
import { NodeTimes } from './node/node-times';
import { ChainTransactionRepository } from './outbox/chain-transaction.repository';
import { Outbox } from './outbox/outbox';
import { RepeatedBroadcasts } from './outbox/repeated-broadcasts';
import { ReceiptHeaders } from './receipts/receipt-headers';
import { ReceiptRepository } from './receipts/receipt.repository';
import { ReferenceBlocks } from './reference-blocks';
import { JudgedKeys } from './signing/judged-keys';
import { SigningKeys } from './signing/signing-keys';
import { TransactionSigner } from './signing/transaction-signer';
import { Transactions } from './signing/transactions';
import { SwitchRepository } from './switches/switch.repository';
import { Switches } from './switches/switches';
import { Capacity } from './wallets/capacity';
import { ChooseWallet } from './wallets/choose-wallet';
import { LendingOutlook } from './wallets/lending-outlook';
import { NetworkRate } from './wallets/network-rate';
import { PoolForecast } from './wallets/pool-forecast';
import { PoolWalletRepository } from './wallets/pool-wallet.repository';
import { PoolWallets } from './wallets/pool-wallets';
import { ReservationRepository } from './wallets/reservation.repository';
import { Reservations } from './wallets/reservations';
import { WalletLoans } from './wallets/wallet-loans';
import { SolidBlock } from './wallets/solid-block';
import { UnreadWallets } from './wallets/unread-wallets';
import { WalletActivity } from './wallets/wallet-activity';
import { AcceptedBlockRepository } from './unproved/accepted-block.repository';
import { BlockListings } from './unproved/block-listings';
import { BuiltOn } from './unproved/built-on';
import { LentReadings } from './unproved/lent-readings';
import { OfferedBlocks } from './unproved/offered-blocks';
import { UnprovedBlocks } from './unproved/unproved-blocks';
import { WalletReader } from './wallets/wallet-reader';
import { WalletViewRepository } from './wallets/wallet-view.repository';
import { WalletStake } from './wallets/wallet-stake';
import { WalletRestRepository } from './wallets/wallet-rest.repository';
import { WalletRests } from './wallets/wallet-rests';
import { WalletsWithoutKey } from './wallets/wallets-without-key';
import { NamedWitnesses } from './witnesses/named-witnesses';
import { WitnessReader } from './witnesses/witness-reader';
import { WitnessSet } from './witnesses/witness-set';
import { WitnessSetRepository } from './witnesses/witness-set.repository';

const TRON_INTERVAL_MS = 3_000;

/**
 * The only room that knows the chain: nodes, pool wallets, signing, the outbox, and what blocks prove. It imports nothing of delegation,
 * but its SQL reads the tables `delegations` (stake promised from a wallet, closed pairs, resends, payers) and writes
 * `delegation_events` (what nodes answered): on the way of an order, a statement in each room would cost a round trip more.
 */
@Module({
  providers: [
    Clock,
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
    ChainFaultRepository,
    WitnessReader,
    NamedWitnesses,
    WitnessSetRepository,
    WitnessSet,
    {
      provide: ChainProof,
      inject: [CONFIGURATION, WitnessSet, BlockReads],
      useFactory: ({ nodes }: Configuration, witnesses: WitnessSet, reads: BlockReads): ChainProof =>
        nodes.proof === 'signatures' ? witnesses : new NodeProof(reads),
    },
    MissedHeaders,
    Branches,
    SlotLength,
    FinalityWatch,
    ChainStart,
    AcceptedBlockRepository,
    BlockListings,
    BuiltOn,
    OfferedBlocks,
    RecordedBlocks,
    BlockBodies,
    VerifiedChain,
    StakeMoves,
    BlockActs,
    SolidViews,
    HeadStates,
    ReferenceBlocks,
    SigningKeys,
    JudgedKeys,
    TransactionSigner,
    Transactions,
    ChainTransactionRepository,
    Outbox,
    PoolWalletRepository,
    PoolWallets,
    PoolForecast,
    SwitchRepository,
    Switches,
    SolidBlock,
    WalletReader,
    WalletViewRepository,
    WalletStake,
    WalletActivity,
    NetworkRate,
    LookedThrough,
    Capacity,
    ReservationRepository,
    Reservations,
    WalletRestRepository,
    WalletRests,
    WalletsWithoutKey,
    WalletLoans,
    UnreadWallets,
    ChooseWallet,
    LendingOutlook,
    TransactionOutcomes,
    InclusionWaiters,
    Inclusions,
    LateOutcomes,
    ReceiptRepository,
    ReceiptHeaders,
    LentReadings,
    UnprovedBlocks,
    FinalBlocks,
    ChainWork,
    { provide: BLOCK_INTERVAL_MS, useValue: TRON_INTERVAL_MS },
    BlockClock,
    BlockPace,
    BlockSubscribers,
    RepeatedBroadcasts,
    BlockFollower,
    DiagnoseNodes,
    DiagnoseKeys,
    KeyPower,
    KeyPowerSchedule,
  ],
  exports: [
    AccountCreation,
    ConfiguredNodes,
    ChainReads,
    RecordedBlocks,
    ChainStart,
    ChainIdentityRepository,
    ChainFaultRepository,
    AcceptedBlockRepository,
    OfferedBlocks,
    WitnessSetRepository,
    StakeMoves,
    HeadStates,
    ReferenceBlocks,
    Transactions,
    Outbox,
    PoolWallets,
    PoolForecast,
    Switches,
    Capacity,
    WalletActivity,
    Reservations,
    WalletRests,
    WalletsWithoutKey,
    WalletLoans,
    WalletViewRepository,
    BlockActs,
    SolidViews,
    ChooseWallet,
    LendingOutlook,
    TransactionOutcomes,
    ReceiptRepository,
    FinalityWatch,
    InclusionWaiters,
    RepeatedBroadcasts,
    BlockFollower,
    DiagnoseNodes,
    DiagnoseKeys,
    KeyPower,
  ],
})
export class ChainModule {}
