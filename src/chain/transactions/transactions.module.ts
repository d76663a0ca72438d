import { Module } from '@nestjs/common';
import { TronModule } from '../tron/tron.module';
import { VerifiedChainModule } from '../verified-chain/verified-chain.module';
import { ChainTransactionRepository } from './outbox/chain-transaction.repository';
import { FirstBroadcast } from './outbox/first-broadcast';
import { Outbox } from './outbox/outbox';
import { RepeatedBroadcasts } from './outbox/repeated-broadcasts';
import { TransactionKinds } from './kinds/transaction-kinds';
import { JudgedKeys } from './signing/judged-keys';
import { Signer } from './signing/signer';
import { OwnKeys } from './signing/own-keys';
import { SigningKeys } from './signing/signing-keys';
import { SignerKeys } from './signer-process/signer-keys';
import { TransactionSigner } from './signing/transaction-signer';
import { TransactionBuilder } from './signing/transaction-builder';

/** Signed and committed before a node sees them; sent again until a block or their death decides. */
@Module({
  imports: [TronModule, VerifiedChainModule],
  providers: [
    TransactionKinds,
    OwnKeys,
    SignerKeys,
    SigningKeys,
    { provide: Signer, useExisting: SigningKeys },
    JudgedKeys,
    TransactionSigner,
    TransactionBuilder,
    ChainTransactionRepository,
    Outbox,
    FirstBroadcast,
    RepeatedBroadcasts,
  ],
  exports: [
    TransactionKinds,
    SigningKeys,
    JudgedKeys,
    TransactionBuilder,
    ChainTransactionRepository,
    Outbox,
    FirstBroadcast,
    RepeatedBroadcasts,
  ],
})
export class TransactionsModule {}
