import { Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { Clock } from '../common/clock';
import { DiagnoseKeys } from './pool/doctor/diagnose-keys';
import { DiagnoseNodes } from './pool/doctor/diagnose-nodes';
import { KeyPower } from './pool/doctor/key-power';
import { KeyPowerSchedule } from './pool/doctor/key-power.schedule';
import { ChainFaultRepository } from './verified-chain/faults/chain-fault.repository';
import { BlockBodies } from './verified-chain/block-bodies';
import { BlockClock } from './verified-chain/block-clock';
import { BlockFollower } from './observer/block-follower';
import { BLOCK_INTERVAL_MS, BlockPace } from './observer/block-pace';
import { Branches } from './verified-chain/branches';
import { ChainProof, NodeProof } from './verified-chain/chain-proof';
import { ChainStart } from './verified-chain/chain-start';
import { BlockSubscribers } from './observer/block-subscribers';
import { ChainWork } from './observer/chain-work';
import { FinalBlocks } from './observer/final-blocks';
import { FinalityWatch } from './verified-chain/finality-watch';
import { InclusionWaiters } from './observer/inclusion-waiters';
import { Inclusions } from './observer/inclusions';
import { LateOutcomes } from './observer/late-outcomes';
import { LookedThrough } from './observer/looked-through';
import { MissedHeaders } from './verified-chain/missed-headers';
import { RecordedBlocks } from './observer/recorded-blocks';
import { SlotLength } from './verified-chain/slot-length';
import { BlockActs } from './observer/block-acts';
import { SolidViews } from './pool/wallets/solid-views';
import { StakeMoves } from './pool/wallets/stake-moves';
import { TransactionOutcomes } from './observer/transaction-outcomes';
import { VerifiedChain } from './verified-chain/verified-chain';
import { HeadStates } from './tron/head/head-states';
import { BlockReads } from './tron/node/block-reads';
import { ChainIdentityRepository } from './tron/node/chain-identity.repository';
import { AccountCreation } from './tron/node/account-creation';
import { ChainReads } from './tron/node/chain-reads';
import { ConfiguredNodes } from './tron/node/configured-nodes';
import { GenesisCheck } from './tron/node/genesis-check';
import { HedgedCalls } from './tron/node/hedged-calls';
import { NodeClient } from './tron/node/node-client';
import { NodeConnections } from './tron/node/node-connections';
import { NodeStanding } from './tron/node/node-standing';
import { NodeTimes } from './tron/node/node-times';
import { ChainTransactionRepository } from './transactions/outbox/chain-transaction.repository';
import { Outbox } from './transactions/outbox/outbox';
import { RepeatedBroadcasts } from './transactions/outbox/repeated-broadcasts';
import { ReceiptHeaders } from './verified-chain/receipts/receipt-headers';
import { ReceiptRepository } from './verified-chain/receipts/receipt.repository';
import { ReferenceBlocks } from './verified-chain/reference-blocks';
import { JudgedKeys } from './transactions/signing/judged-keys';
import { SigningKeys } from './transactions/signing/signing-keys';
import { TransactionSigner } from './transactions/signing/transaction-signer';
import { Transactions } from './transactions/signing/transactions';
import { SwitchRepository } from './pool/switches/switch.repository';
import { Switches } from './pool/switches/switches';
import { Capacity } from './pool/wallets/capacity';
import { ChooseWallet } from './pool/wallets/choose-wallet';
import { LendingOutlook } from './pool/wallets/lending-outlook';
import { NetworkRate } from './pool/wallets/network-rate';
import { PoolForecast } from './pool/wallets/pool-forecast';
import { PoolWalletRepository } from './pool/wallets/pool-wallet.repository';
import { PoolWallets } from './pool/wallets/pool-wallets';
import { ReservationRepository } from './pool/wallets/reservation.repository';
import { Reservations } from './pool/wallets/reservations';
import { WalletLoans } from './pool/wallets/wallet-loans';
import { SolidBlock } from './pool/wallets/solid-block';
import { UnreadWallets } from './pool/wallets/unread-wallets';
import { WalletActivity } from './pool/wallets/wallet-activity';
import { AcceptedBlockRepository } from './observer/unproved/accepted-block.repository';
import { BlockListings } from './observer/unproved/block-listings';
import { BuiltOn } from './observer/unproved/built-on';
import { LentReadings } from './observer/unproved/lent-readings';
import { OfferedBlocks } from './observer/unproved/offered-blocks';
import { UnprovedBlocks } from './observer/unproved/unproved-blocks';
import { WalletReader } from './pool/wallets/wallet-reader';
import { WalletViewRepository } from './pool/wallets/wallet-view.repository';
import { WalletStake } from './pool/wallets/wallet-stake';
import { WalletRestRepository } from './pool/wallets/wallet-rest.repository';
import { WalletRests } from './pool/wallets/wallet-rests';
import { WalletsWithoutKey } from './pool/wallets/wallets-without-key';
import { NamedWitnesses } from './verified-chain/witnesses/named-witnesses';
import { WitnessReader } from './verified-chain/witnesses/witness-reader';
import { WitnessSet } from './verified-chain/witnesses/witness-set';
import { WitnessSetRepository } from './verified-chain/witnesses/witness-set.repository';

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
