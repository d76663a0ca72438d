import { Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { TronModule } from '../tron/tron.module';
import { BlockReads } from '../tron/node/block-reads';
import { BeginComparing } from './begin-comparing';
import { BlockBodies } from './block-bodies';
import { BlockClock } from './block-clock';
import { Branches } from './branches';
import { ChainProof, NodeProof } from './chain-proof';
import { ChainStart } from './chain-start';
import { ChainFaultRepository } from './faults/chain-fault.repository';
import { FinalityWatch } from './finality-watch';
import { MissedHeaders } from './missed-headers';
import { ChangedWitnesses } from './receipts/changed-witnesses';
import { ReceiptHeaders } from './receipts/receipt-headers';
import { ReceiptRepository } from './receipts/receipt.repository';
import { ReferenceBlocks } from './reference-blocks';
import { SlotLength } from './slot-length';
import { VerifiedChain } from './verified-chain';
import { NamedWitnesses } from './witnesses/named-witnesses';
import { FollowSigners } from './witnesses/follow-signers';
import { WitnessReader } from './witnesses/witness-reader';
import { WitnessSet } from './witnesses/witness-set';
import { WitnessSetRepository } from './witnesses/witness-set.repository';

/** The chain of headers that witnesses have signed: head, final block, bodies, receipts. Whatever else is concluded is concluded from it. */
@Module({
  imports: [TronModule],
  providers: [
    ChainFaultRepository,
    WitnessReader,
    NamedWitnesses,
    FollowSigners,
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
    BlockBodies,
    VerifiedChain,
    ReferenceBlocks,
    BeginComparing,
    ReceiptRepository,
    ReceiptHeaders,
    ChangedWitnesses,
    BlockClock,
  ],
  exports: [
    ChainFaultRepository,
    WitnessSetRepository,
    ChainProof,
    SlotLength,
    FinalityWatch,
    ChainStart,
    BlockBodies,
    VerifiedChain,
    ReferenceBlocks,
    BeginComparing,
    ReceiptRepository,
    ReceiptHeaders,
    ChangedWitnesses,
    BlockClock,
  ],
})
export class VerifiedChainModule {}
